import { type RedisScript, redisScript } from './redis-script.js'

/**
 * The keys of all jobs, in the order of `NAMES` in the scripts. Two hashes by id hold a job: its JSON, and its version, which
 * alone is right. When its next step is due is the score in `due:<queue>`; the other sorted sets say what to look for.
 */
export const JOB_KEYS = [
  'records',
  'versions',
  'id-of-key',
  'key-of-id',
  'open-of-owner',
  'owner-of-id',
  'all-of-owner',
  'done-of-owner',
  'open',
  'ended',
  'due:work',
  'due:operator',
  'due:delivery',
  'age:work',
  'age:operator',
  'age:delivery',
] as const

const NAMES = `
local records, versions, idOfKey, keyOfId, openOfOwner, ownerOfId, allOfOwner, doneOfOwner, open, ended = unpack(KEYS)
local due = { work = KEYS[11], operator = KEYS[12], delivery = KEYS[13] }
local age = { work = KEYS[14], operator = KEYS[15], delivery = KEYS[16] }
local call = redis.call`

/** Appends a job to a reply, as three values: JSON, version, and when its next step is due. */
const SHOW = `
local shown = {}
local function show(id)
  local record = call('HGET', records, id)
  if not record then return end
  local dueAt = false
  for _, key in pairs(due) do dueAt = dueAt or call('ZSCORE', key, id) end
  table.insert(shown, record)
  table.insert(shown, call('HGET', versions, id))
  table.insert(shown, dueAt)
end`

/** `doneOfOwner` is in the order of its names: by owner, then by the time of the end. */
const DONE = `
local function doneName(owner, finishedAt, id)
  return owner .. string.char(0) .. string.format('%020.0f', tonumber(finishedAt)) .. id
end
local function undone(id, owner)
  local finishedAt = call('ZSCORE', ended, id)
  if not finishedAt then return end
  call('ZREM', ended, id)
  call('ZREM', doneOfOwner, doneName(owner, finishedAt, id))
end`

/** Forgets a job. */
const DROP = `
local function lessOf(counts, owner)
  if call('HINCRBY', counts, owner, -1) == 0 then call('HDEL', counts, owner) end
end
local function drop(id)
  local owner = call('HGET', ownerOfId, id)
  local key = call('HGET', keyOfId, id)
  if key then call('HDEL', idOfKey, key) end
  for _, hash in ipairs({ keyOfId, records, versions, ownerOfId }) do call('HDEL', hash, id) end
  for name, set in pairs(due) do
    call('ZREM', set, id)
    call('ZREM', age[name], id)
  end
  undone(id, owner)
  if call('ZREM', open, id) == 1 then lessOf(openOfOwner, owner) end
  lessOf(allOfOwner, owner)
end`

/** Keeps a job, and puts it where its state says. */
const KEEP = `
local function keep(id, record, version, owner, isOpen, queue, dueAt, createdAt, expiresAt, finishedAt, notice, channel)
  call('HSET', records, id, record)
  call('HSET', versions, id, version)
  for name, key in pairs(due) do
    if name == queue then
      call('ZADD', key, dueAt, id)
      call('ZADD', age[name], createdAt, id)
    else
      call('ZREM', key, id)
      call('ZREM', age[name], id)
    end
  end
  if call('HSETNX', ownerOfId, id, owner) == 1 then call('HINCRBY', allOfOwner, owner, 1) end
  undone(id, owner)
  if queue == '' then
    call('ZADD', ended, finishedAt, id)
    call('ZADD', doneOfOwner, 0, doneName(owner, finishedAt, id))
  end
  if isOpen == '1' then
    if call('ZADD', open, expiresAt, id) == 1 then call('HINCRBY', openOfOwner, owner, 1) end
  elseif call('ZREM', open, id) == 1 and call('HINCRBY', openOfOwner, owner, -1) == 0 then
    call('HDEL', openOfOwner, owner)
  end
  if notice ~= '' then call('PUBLISH', channel, notice .. ' ' .. id) end
end`

function script(...parts: readonly string[]): RedisScript {
  return redisScript([NAMES, ...parts].join('\n'))
}

/** `add` and `update` may reach Redis twice when a connection is lost: the second time changes nothing and says the same. */
export const ADD: RedisScript = script(
  SHOW,
  DONE,
  DROP,
  KEEP,
  `
local key, maxJobs, maxOfOwner, maxOpen, id, _, _, owner = unpack(ARGV)
local known = key ~= '' and call('HGET', idOfKey, key)
if known and known ~= id then
  show(known)
  return { 'known', shown }
end
if call('HEXISTS', records, id) == 1 then return { 'added' } end
if tonumber(call('HGET', openOfOwner, owner) or 0) >= tonumber(maxOpen) then return { 'owner' } end
local spare = tonumber(call('HGET', allOfOwner, owner) or 0) - tonumber(maxOfOwner) + 1
if spare > 0 then
  local from = owner .. string.char(0)
  for _, name in ipairs(call('ZRANGEBYLEX', doneOfOwner, '[' .. from, '(' .. owner .. string.char(1), 'LIMIT', 0, spare)) do
    drop(string.sub(name, #from + 21))
  end
  if tonumber(call('HGET', allOfOwner, owner) or 0) >= tonumber(maxOfOwner) then return { 'owner' } end
end
if call('HLEN', records) >= tonumber(maxJobs) then return { 'store' } end
keep(unpack(ARGV, 5))
if key ~= '' then
  call('HSET', idOfKey, key, id)
  call('HSET', keyOfId, id, key)
end
return { 'added' }`,
)

export const UPDATE: RedisScript = script(
  DONE,
  KEEP,
  `
local expected, id, record, version = unpack(ARGV)
local current = call('HGET', versions, id)
if current == expected then
  keep(unpack(ARGV, 2))
  return 1
end
return current == version and call('HGET', records, id) == record and 1 or 0`,
)

export const REMOVE: RedisScript = script(
  DONE,
  DROP,
  `
local id, expected = unpack(ARGV)
local current = call('HGET', versions, id)
if not current then return -1 end
if current ~= expected then return 0 end
drop(id)
return 1`,
)

export const READ: RedisScript = script(SHOW, 'show(ARGV[1])\nreturn shown')

export const FIND: RedisScript = script(
  SHOW,
  `
local id = call('HGET', idOfKey, ARGV[1])
if id then show(id) end
return shown`,
)

export const CLAIM: RedisScript = script(
  SHOW,
  `
local queue, now, leaseEnd, limit = unpack(ARGV)
for _, id in ipairs(call('ZRANGEBYSCORE', due[queue], '-inf', now, 'LIMIT', 0, limit)) do
  call('HINCRBY', versions, id, 1)
  call('ZADD', due[queue], leaseEnd, id)
  show(id)
end
return shown`,
)

export const RENEW: RedisScript = script(`
local lost = {}
for at = 2, #ARGV, 2 do
  local id = ARGV[at]
  if call('HGET', versions, id) == ARGV[at + 1] then
    for _, key in pairs(due) do call('ZADD', key, 'XX', ARGV[1], id) end
  else
    table.insert(lost, id)
  end
end
return lost`)

export const LIST: RedisScript = script(
  SHOW,
  `
for _, id in ipairs(call('ZRANGE', age[ARGV[1]], 0, ARGV[2] - 1)) do show(id) end
return shown`,
)

export const OVERDUE: RedisScript = script(
  SHOW,
  `
for _, id in ipairs(call('ZRANGEBYSCORE', open, '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])) do show(id) end
return shown`,
)

export const COUNT: RedisScript = script("return { call('HLEN', records), call('ZCARD', open) }")

export const PRUNE: RedisScript = script(
  DONE,
  DROP,
  `
local ids = call('ZRANGEBYSCORE', ended, '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do drop(id) end
return #ids`,
)
