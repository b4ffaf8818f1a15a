-- GETs 1,000 points of a curve that is not cached: the spring's response grows by a microsecond with each request.

local count = 0

function request()
  count = count + 1
  local target = "/v1/springs/curve?dampingRatio=0.8&response=%.6f&fps=1000&curveDuration=0.999"
  return wrk.format("GET", string.format(target, 0.2 + count * 1e-6))
end
