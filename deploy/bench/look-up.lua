-- For wrk: entitlements.get of random accounts that a file names, one UUID a line.
--   wrk -t1 -c64 -d10s -s deploy/bench/look-up.lua http://127.0.0.1:8080/rpc -- FILE API-KEY
local accounts = {}

function init(args)
    for line in io.lines(args[1]) do accounts[#accounts + 1] = line end
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Authorization"] = "Bearer " .. args[2]
    math.randomseed(os.time())
end

function request()
    local account = accounts[math.random(#accounts)]
    return wrk.format(nil, nil, nil, '{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"' .. account .. '"}}')
end
