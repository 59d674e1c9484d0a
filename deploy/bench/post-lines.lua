-- For wrk: posts the lines of a file, each once, and stops when they run out (so give more than will be sent).
--   wrk -t1 -c64 -d10s -s deploy/bench/post-lines.lua http://127.0.0.1:8080/appstore/notifications -- FILE [API-KEY]
local lines = {}
local index = 0

-- Whole requests are made beforehand: what it takes to make them is no part of a measurement.
function init(args)
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    if args[2] then wrk.headers["Authorization"] = "Bearer " .. args[2] end
    for line in io.lines(args[1]) do lines[#lines + 1] = wrk.format(nil, nil, nil, line) end
end

function request()
    index = index + 1
    if index > #lines then wrk.thread:stop() end
    return lines[math.min(index, #lines)]
end
