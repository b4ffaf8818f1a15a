"""Settings of the service and the bar of the clients, shared by all rows."""

import json

import shapes

# The yardstick logs nothing, so the service logs nothing either. A separate row measures the log.
QUIET = {"SPRINGBAR_LOG_LEVEL": "warning"}
LOGGED = {"SPRINGBAR_LOG_LEVEL": "info"}
# The load of a row comes from one address, which is one client to the service. So a row with more bars or streams than
# one client may have turns the shares off.
UNSHARED = QUIET | {f"SPRINGBAR_MAX_{kind}_PER_CLIENT": "0" for kind in ("CONNECTIONS", "STREAMS", "SESSIONS")}

NEW_BAR = json.dumps(shapes.NEW_BAR)
