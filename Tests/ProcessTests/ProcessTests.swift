import Testing

/// Tests that start processes.
///
/// They are serialized, because they measure time and a machine may have only two cores.
@Suite(.serialized)
enum ProcessTests {}
