-- POSTs creations, each with a key of its own, from 65,536 clients in turn; the arguments are the start of the keys and the
-- content.

local start = ""
local content = ""
local count = 0

function init(arguments)
  start = arguments[1]
  content = arguments[2]
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  count = count + 1
  wrk.headers["Idempotency-Key"] = start .. count
  wrk.headers["X-Forwarded-For"] = string.format("10.0.%d.%d", math.floor(count / 256) % 256, count % 256)
  return wrk.format("POST", "/v1/bars", nil, content)
end
