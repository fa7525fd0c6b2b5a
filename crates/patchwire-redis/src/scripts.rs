//! The scripts that write. Redis runs each as one step.
//!
//! `KEYS[1]` is the stream of the entries, `KEYS[3]` the string of the same entries, and `KEYS[2]` the hash with what is known of the
//! answer:
//!
//! | field | |
//! |---|---|
//! | `epoch` | the number of the writer: who has another one appends nothing |
//! | `last` | the number of the last entry |
//! | `until` | the time of Redis until which the lease lasts, in milliseconds |
//! | `ended` | there if the last entry was marked as the last |
//! | `by` | which operation changed the epoch, so that it can be repeated |

use redis::Script;

/// The replies of a script that did nothing.
pub(crate) mod reply {
    pub(crate) const GONE: i64 = -1;
    pub(crate) const FENCED: i64 = -2;
    pub(crate) const CHANGED: i64 = -3;
    /// Entries are missing before this one: this number less the number of the last entry.
    pub(crate) const BEHIND: i64 = -10;
}

const COMMON: &str = "
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function keep(millis)
  redis.call('PEXPIRE', KEYS[1], millis)
  redis.call('PEXPIRE', KEYS[2], millis)
  redis.call('PEXPIRE', KEYS[3], millis)
end
local function put(seq, entry)
  redis.call('XADD', KEYS[1], seq .. '-0', 'd', entry)
  redis.call('APPEND', KEYS[3], struct.pack('<I4', #entry) .. entry)
end
";

/// `by`, entry, lease, keep.
const CREATE: &str = "
if redis.call('EXISTS', KEYS[2]) == 1 then
  if redis.call('HGET', KEYS[2], 'by') == ARGV[1] then return 0 end
  return -3
end
put('1', ARGV[2])
redis.call('HSET', KEYS[2], 'epoch', '1', 'last', '1', 'until', now() + ARGV[3], 'by', ARGV[1])
keep(ARGV[4])
return 0
";

/// Epoch, number, entry, and how long to keep what has ended.
const APPEND: &str = "
local known = redis.call('HMGET', KEYS[2], 'epoch', 'last')
if not known[1] then return -1 end
if known[1] ~= ARGV[1] then return -2 end
local last, seq = tonumber(known[2]), tonumber(ARGV[2])
if seq > last + 1 then return -10 - last end
if seq == last + 1 then
  put(ARGV[2], ARGV[3])
  redis.call('HSET', KEYS[2], 'last', ARGV[2])
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[2], 'ended', '1', 'until', '0')
  keep(ARGV[4])
end
return 0
";

/// Epoch, lease, keep.
const RENEW: &str = "
local epoch = redis.call('HGET', KEYS[2], 'epoch')
if not epoch then return -1 end
if epoch ~= ARGV[1] then return -2 end
redis.call('HSET', KEYS[2], 'until', now() + ARGV[2])
keep(ARGV[3])
return 0
";

/// Epoch, last, whether the lease lasts, whether it has ended.
const STANDING: &str = "
local known = redis.call('HMGET', KEYS[2], 'epoch', 'last', 'until', 'ended')
if not known[1] then return {} end
local leased = tonumber(known[3]) > now()
return {tonumber(known[1]), tonumber(known[2]), leased and 1 or 0, known[4] and 1 or 0}
";

/// `by`, epoch, last, entry, lease, keep, whether it ends, whether by force.
const TAKE: &str = "
local known = redis.call('HMGET', KEYS[2], 'epoch', 'last', 'until', 'ended', 'by')
if not known[1] then return -1 end
if known[5] == ARGV[1] then return tonumber(known[1]) end
if known[1] ~= ARGV[2] or known[2] ~= ARGV[3] or known[4] then return -3 end
if ARGV[8] == '0' and tonumber(known[3]) > now() then return -3 end
local epoch, seq = known[1] + 1, known[2] + 1
put(string.format('%.0f', seq), ARGV[4])
redis.call('HSET', KEYS[2], 'epoch', string.format('%.0f', epoch), 'last', string.format('%.0f', seq),
  'until', now() + ARGV[5], 'by', ARGV[1])
if ARGV[7] == '1' then redis.call('HSET', KEYS[2], 'ended', '1', 'until', '0') end
keep(ARGV[6])
return epoch
";

pub(crate) struct Scripts {
    pub(crate) create: Script,
    pub(crate) append: Script,
    pub(crate) renew: Script,
    pub(crate) standing: Script,
    pub(crate) take: Script,
}

impl Scripts {
    pub(crate) fn new() -> Self {
        let script = |text: &str| Script::new(&format!("{COMMON}{text}"));
        Self {
            create: script(CREATE),
            append: script(APPEND),
            renew: script(RENEW),
            standing: script(STANDING),
            take: script(TAKE),
        }
    }
}
