-- POSTs one scroll event per request: a finger drags the content up and down, with a new offset each time.
-- The requests are formatted once, so that wrk does not limit the server.

local requests = {}
local steps = 64
local turn = 0

function init()
  wrk.headers["Content-Type"] = "application/json"
  for step = 0, steps - 1 do
    local y = -300 + 300 * (1 - math.abs(1 - 2 * step / steps)) + 0.25
    local body = string.format('{"type":"contentOffset","contentOffset":{"x":0,"y":%.2f}}', y)
    requests[step] = wrk.format("POST", nil, nil, body)
  end
end

function request()
  turn = (turn + 1) % steps
  return requests[turn]
end
