-- POSTs one scroll event per request to one bar after the other; the file after `--` has their paths. The offsets of the
-- rounds differ, so every event changes its bar. The requests are formatted once, so that wrk does not limit the server.

local requests = {}
local count = 0
local turn = 0

function init(arguments)
  wrk.headers["Content-Type"] = "application/json"
  local paths = {}
  for path in io.lines(arguments[1]) do paths[#paths + 1] = path end
  for step = 0, 7 do
    local y = -300 + 300 * (1 - math.abs(1 - step / 4)) + 0.25
    local body = string.format('{"type":"contentOffset","contentOffset":{"x":0,"y":%.2f}}', y)
    for _, path in ipairs(paths) do
      requests[count] = wrk.format("POST", path .. "/events", nil, body)
      count = count + 1
    end
  end
end

function request()
  turn = (turn + 1) % count
  return requests[turn]
end
