-- GETs a spring that is not cached: its response grows by a microsecond with each request.

local count = 0

function request()
  count = count + 1
  return wrk.format("GET", string.format("/v1/springs?dampingRatio=0.8&response=%.6f", 0.2 + count * 1e-6))
end
