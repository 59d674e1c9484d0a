-- For wrk: looks up random accounts that a file names, one UUID a line: one a call by entitlements.get, or several by
-- entitlements.getMany.
--   wrk -t1 -c64 -d10s -s deploy/bench/look-up.lua http://127.0.0.1:8080/rpc -- FILE API-KEY [ACCOUNTS-PER-CALL]
local accounts = {}
local per_call = 1
local before, behind

function init(args)
    for line in io.lines(args[1]) do accounts[#accounts + 1] = line end
    per_call = tonumber(args[3] or "1")
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Authorization"] = "Bearer " .. args[2]
    math.randomseed(os.time())
    -- All requests for one account are as long: what is the same in them is made beforehand.
    local sample = wrk.format(nil, nil, nil, '{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"' .. accounts[1] .. '"}}')
    local start, stop = string.find(sample, accounts[1], 1, true)
    before, behind = string.sub(sample, 1, start - 1), string.sub(sample, stop + 1)
end

local function any() return accounts[math.random(#accounts)] end

function request()
    if per_call == 1 then
        return before .. any() .. behind
    end
    local names = {}
    for number = 1, per_call do names[number] = '"' .. any() .. '"' end
    return wrk.format(nil, nil, nil, '{"jsonrpc":"2.0","id":1,"method":"entitlements.getMany","params":{"accounts":[' .. table.concat(names, ",") .. ']}}')
end
