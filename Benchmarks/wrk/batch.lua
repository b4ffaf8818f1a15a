-- POSTs 500 scroll events per request, as many as in a drag of four seconds at 120 Hz.

local formatted

function init()
  local events = {}
  for event = 1, 500 do
    local y = -300 + 300 * (1 - math.abs(1 - 2 * (event % 64) / 64)) + 0.25
    events[event] = string.format('{"type":"contentOffset","contentOffset":{"x":0,"y":%.2f}}', y)
  end
  wrk.headers["Content-Type"] = "application/json"
  formatted = wrk.format("POST", nil, nil, '{"events":[' .. table.concat(events, ",") .. "]}")
end

function request()
  return formatted
end
