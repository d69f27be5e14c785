-- mpv shows the animated cover of the song that it plays:
--
--     mpv --script=Integrations/players/artworkd.lua --force-window song.flac
--
-- The cover is a file beside the song (docs/sidecar.md), or else the one that artworkd has for it, where `artworkd serve`,
-- `artworkd companion` and mpv-mpris run. It repeats for as long as the song plays. Needs mpv 0.33; curl for the service.

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

-- From the service: the companion's session of a process is called mpris-PID.
local function from_service()
  local runtime = os.getenv("XDG_RUNTIME_DIR")
  if not runtime then return end
  local answer = mp.command_native {
    name = "subprocess", capture_stdout = true, playback_only = false,
    args = {
      "curl", "-sf", "--max-time", "5", "--unix-socket", runtime .. "/artworkd/artworkd.sock",
      "-H", "Content-Type: application/json", "-d", '{"width":1080,"height":1080}',
      "http://localhost/v1/sessions/mpris-" .. mp.get_property("pid") .. "/artwork/1x1/video",
    },
  }
  local lease = answer.status == 0 and utils.parse_json(answer.stdout)
  local path = lease and lease.url and lease.url:match("^file://(/.*)$")
  return path and path:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end)
end

-- A path inside a filter graph is quoted twice: for the option, and for the graph.
local function quoted(path)
  local option = path:gsub("[\\':]", "\\%0")
  return option:gsub("[\\'%[%],;]", "\\%0")
end

local function show(path)
  local seconds = mp.get_property_number("duration")
  if not path or not seconds then return false end
  -- `movie` reads the file again and again; the frames are counted on, and end with the song.
  mp.set_property("lavfi-complex", string.format(
    "movie=filename=%s:loop=0,setpts=N/(FRAME_RATE*TB),trim=duration=%.3f[vo]", quoted(path), seconds))
  mp.msg.info("cover " .. path)
  return true
end

local asking
mp.register_event("file-loaded", function()
  if asking then asking:kill() end
  -- A film has pictures of its own.
  local video = mp.get_property_native("current-tracks/video")
  if video and not video.albumart then return end
  if show(beside(mp.get_property("path"))) then return end
  local tries = 0
  -- The companion needs a moment for a new song.
  asking = mp.add_periodic_timer(1, function()
    tries = tries + 1
    if show(from_service()) or tries == 10 then asking:kill() end
  end)
end)
mp.register_event("end-file", function()
  if asking then asking:kill() end
  mp.set_property("lavfi-complex", "")
end)
