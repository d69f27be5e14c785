-- mpv shows the animated cover of the song that it plays:
--
--     mpv --script=Integrations/players/artworkd.lua --force-window song.flac
--
-- The cover is a file beside the song (docs/bundle.md), or else the one that artworkd has for it, where `artworkd serve`,
-- `artworkd companion` and mpv-mpris run. It repeats for as long as the song plays, and gives way to mpv's own still picture
-- while the service's conditions stop videos. Needs mpv 0.33; curl for the service.

local utils = require "mp.utils"

local function is_file(path)
  local info = utils.file_info(path)
  return info and info.is_file
end

-- Beside the song: those with its name first, then those of its folder.
local function beside(song)
  local folder, name = utils.split_path(song)
  local stem = name:gsub("%.[^.]*$", "")
  for _, cover in ipairs { stem, stem .. "_cover", "cover", "1x1", "cover_1x1", "canvas" } do
    local path = utils.join_path(folder, cover .. ".mp4")
    if path ~= song and is_file(path) then return path end
  end
end

-- The socket is where the clients look for it. In the temporary folder, anyone can make one.
local curl = [[
case $XDG_RUNTIME_DIR in
/*) folder=$XDG_RUNTIME_DIR/artworkd ;;
*) folder=/tmp/artworkd-$(id -u); [ -n "$ARTWORKD_SOCKET" ] || [ -O "$folder" ] || exit 1 ;;
esac
exec curl -sf --max-time 5 --unix-socket "${ARTWORKD_SOCKET:-$folder/artworkd.sock}" "$@"]]

-- Calls `done` with the answer; with nil if the service does not run or refuses.
local function ask(path, body, done)
  local args = { "sh", "-c", curl, "curl", "http://localhost/v1/" .. path }
  for _, argument in ipairs(body and { "-H", "Content-Type: application/json", "-d", body } or {}) do
    args[#args + 1] = argument
  end
  mp.command_native_async({ name = "subprocess", args = args, capture_stdout = true, playback_only = false },
    function(_, answer) done(answer and answer.status == 0 and utils.parse_json(answer.stdout) or nil) end)
end

-- The companion's session of a process is called mpris-PID.
local function from_service(done)
  ask("sessions/mpris-" .. mp.get_property("pid") .. "/artwork/1x1/video", '{"width":1080,"height":1080}', function(lease)
    local path = lease and type(lease.url) == "string" and lease.url:match("^file://(/.*)$")
    done(path and path:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
  end)
end

-- Whether the device is to show only still pictures.
local function stops_videos(conditions)
  for _, name in ipairs { "lowPower", "lowData", "reduceMotion", "autoPlayOff" } do
    if conditions[name] then return true end
  end
  return conditions.thermal == "serious" or conditions.thermal == "critical"
end

-- A path inside a filter graph is quoted twice: for the option, and for the graph.
local function quoted(path)
  local option = path:gsub("[\\':]", "\\%0")
  return option:gsub("[\\'%[%],;]", "\\%0")
end

-- The cover that is shown, and the position of the song at its first frame.
local cover, start

local function hide()
  if not cover then return end
  cover = nil
  mp.set_property("lavfi-complex", "")
end

-- `movie` reads the file again and again. The frames are counted on from the song's position, and end with the song.
local function show(path)
  local seconds = mp.get_property_number("duration")
  if not seconds then return end
  if path ~= cover then mp.msg.info("cover " .. path) end
  cover, start = path, math.max(0, mp.get_property_number("time-pos") or 0)
  mp.set_property("lavfi-complex", string.format(
    "movie=filename=%s:loop=0,setpts=N/(FRAME_RATE*TB)+%.3f/TB,trim=end=%.3f[vo]", quoted(path), start, seconds))
end

-- mpv begins a graph again at a seek, and decodes it up to the new position. A change of the graph is a seek as well.
mp.register_event("seek", function()
  local position = mp.get_property_number("time-pos")
  if cover and position and (position < start - 0.1 or position > start + 1) then show(cover) end
end)

local asking
local function stop_asking()
  if asking then asking:kill() end
  asking = nil
end

mp.register_event("file-loaded", function()
  stop_asking()
  -- A film has pictures of its own.
  local video = mp.get_property_native("current-tracks/video")
  if video and not video.albumart then return end
  local song, tries = mp.get_property("path"), 0
  local file = beside(song)
  local timer
  local function look()
    -- The conditions may change while the song plays.
    ask("conditions", nil, function(conditions)
      if asking ~= timer then return end
      if conditions and stops_videos(conditions) then return hide() end
      if cover then return end
      if file then return show(file) end
      tries = tries + 1
      from_service(function(path) if asking == timer and path and not cover then show(path) end end)
    end)
  end
  timer = mp.add_periodic_timer(1, function()
    -- The companion needs a moment for a new song.
    timer.timeout = (cover or tries >= 10) and 5 or 1
    look()
  end)
  asking = timer
  look()
end)
mp.register_event("end-file", function()
  stop_asking()
  hide()
end)
