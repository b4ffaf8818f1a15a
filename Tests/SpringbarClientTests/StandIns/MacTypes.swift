// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The types of MacTypes.h that have the names of ours. Foundation has them on Apple's platforms.

public struct Point {}

public struct Size {}

public struct Rect {}
