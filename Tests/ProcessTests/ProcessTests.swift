import Testing

/// Tests that start processes, one after the other: they time what they start, and two cores are soon taken.
@Suite(.serialized)
enum ProcessTests {}
