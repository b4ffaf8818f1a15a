-- GETs an easing that is not cached: the spring's response grows by a microsecond with each request.

local count = 0

function request()
  count = count + 1
  local target = "/v1/springs/linear?dampingRatio=0.2&response=%.6f&maxError=0.001"
  return wrk.format("GET", string.format(target, 0.4 + count * 1e-6))
end
