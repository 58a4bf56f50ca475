-- Sends the requests of a file in turn: one line "path<TAB>body" each. Prints one line of JSON at the end.
local requests = {}
local at = 0

function init(args)
  local start = tonumber(args[2]) or 0
  for line in io.lines(args[1]) do
    local path, body = line:match("^([^\t]*)\t(.*)$")
    local headers = { ["content-type"] = "application/json" }
    if body == "" then
      requests[#requests + 1] = wrk.format("GET", path, {}, nil)
    else
      requests[#requests + 1] = wrk.format("POST", path, headers, body)
    end
  end
  at = start % #requests
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '{"perSecond":%.1f,"p50":%.3f,"p99":%.3f,"failed":%d}\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed
  ))
end
