"""What rows have in common: how the service is set, and the bar that clients make."""

import json

# The yardstick logs nothing, so what is compared with it has no line to write either. What lines cost is a row.
QUIET = {"SPRINGBAR_LOG_LEVEL": "warning"}
LOGGED = {"SPRINGBAR_LOG_LEVEL": "info"}

NEW_BAR = json.dumps(
    {
        "configuration": {"compactStateHeight": 100, "normalStateHeight": 200, "expandedStateHeight": 300},
        "scrollable": {
            "contentOffset": {"x": 0, "y": -200},
            "contentSize": {"width": 375, "height": 4800},
            "frame": {"x": 0, "y": 0, "width": 375, "height": 667},
        },
    }
)
