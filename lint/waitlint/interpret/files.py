"""Files that code reads as text: paths below the link root, and what stands in them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping

from waitlint.interpret.alternatives import options
from waitlint.interpret.frames import Frame, World
from waitlint.interpret.values import External, FilePath, Instance, Items, Textual, Unknown, Value, pick

Args = list[tuple[str | None, Value]]
Reader = Callable[[World, Args, Frame], Value | None]
Method = Callable[[World, FilePath, Args, Frame], Value | None]
MOST_PARENTS = 12
OWN_FILE = ("__file__", "__filename")
META = {"url": False, "filename": False, "path": False, "dirname": True, "dir": True}


def own_path(name: str, path: str) -> FilePath | None:
    """What `__file__` and `__dirname` mean in a file; None for any other name."""
    if name in OWN_FILE:
        return FilePath(path)
    return FilePath(_folder(path)) if name == "__dirname" else None


def meta_path(name: str, path: str) -> FilePath | None:
    """What `import.meta.url` and its kin mean in a file."""
    if name not in META:
        return None
    return FilePath(_folder(path) if META[name] else path)


def path_attribute(path: FilePath, name: str) -> Value | None:
    """`path.parent` and the like; None for what is a method."""
    if name == "parent":
        return FilePath(_folder(path.path), path.anchored)
    if name == "parents":
        found: list[Value] = []
        current = path.path
        while current and len(found) < MOST_PARENTS:
            current = _folder(current)
            found.append(FilePath(current, path.anchored))
        return Items(tuple(found), open=False)
    return path if name in ("pathname", "href") else None


def joined(base: Value, *parts: Value) -> FilePath | None:
    """Paths one after another; None where one of them is not known."""
    path = as_path(base)
    for part in parts:
        below = as_path(part)
        if path is None or below is None:
            return None
        further = FilePath(_normal(posixpath.join(path.path, below.path)), path.anchored)
        path = below if below.anchored else further
    return path


def as_path(value: Value) -> FilePath | None:
    """A path, also where it is written as a string."""
    if isinstance(value, FilePath):
        return value
    literal = value.literal if isinstance(value, Textual) else None
    if literal is None or "\0" in literal or "\n" in literal or len(literal) > 400:
        return None
    return FilePath(_normal(literal.replace("\\", "/").removeprefix("file://")), anchored=False)


def content(world: World, value: Value, frame: Frame) -> Value | None:
    """The text of the file that a path means; None where `value` is no path."""
    path = as_path(value)
    if path is None:
        return None
    found = world.document(path, frame.path)
    return Unknown(f"`{path.path}` is not in view") if found is None else found


def loaded(world: World, value: Value, frame: Frame) -> Value | None:
    """What a data document holds, by its path or by its text; None where `value` is neither."""
    if isinstance(value, FilePath):
        return world.data(value, frame.path)
    if isinstance(value, Textual) and len(value.parts) == 1 and value.place and value.place.path != frame.path:
        return world.data(FilePath(value.place.path), frame.path)
    return None


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _normal(path: str) -> str:
    normal = posixpath.normpath(path) if path else ""
    return "" if normal == "." else normal


# ---------------------------------------------------------------- functions


def _path(world: World, args: Args, frame: Frame) -> Value | None:
    plain = [value for key, value in args if key is None]
    return joined(plain[0], *plain[1:]) if plain else FilePath("", anchored=False)


def _join(world: World, args: Args, frame: Frame) -> Value | None:
    plain = [value for key, value in args if key is None]
    return joined(plain[0], *plain[1:]) if plain and any(isinstance(part, FilePath) for part in plain) else None


def _url(world: World, args: Args, frame: Frame) -> Value | None:
    """`new URL("./x.md", import.meta.url)`: from the folder of the second."""
    first, base = pick(tuple(args), None, 0), pick(tuple(args), None, 1)
    if first is None or not isinstance(base, FilePath):
        return None
    return joined(FilePath(_folder(base.path), base.anchored), first)


def _parent(world: World, args: Args, frame: Frame) -> Value | None:
    first = pick(tuple(args), None, 0)
    return FilePath(_folder(first.path), first.anchored) if isinstance(first, FilePath) else None


def _same_path(world: World, args: Args, frame: Frame) -> Value | None:
    first = pick(tuple(args), None, 0)
    return first if isinstance(first, FilePath) else None


def _open(world: World, args: Args, frame: Frame) -> Value | None:
    first, mode = pick(tuple(args), "file", 0), pick(tuple(args), "mode", 1)
    if isinstance(mode, Textual) and not (mode.literal or "").startswith("r"):
        return None
    return as_path(first) if first is not None else None


def _read(world: World, args: Args, frame: Frame) -> Value | None:
    first = pick(tuple(args), None, 0)
    return content(world, first, frame) if first is not None else None


def _template_file(world: World, args: Args, frame: Frame) -> Value | None:
    first = pick(tuple(args), "template_file", 0)
    return content(world, first, frame) if first is not None else None


def _load(world: World, args: Args, frame: Frame) -> Value | None:
    first = pick(tuple(args), None, 0)
    return loaded(world, first, frame) if first is not None else None


def _working_folder(world: World, args: Args, frame: Frame) -> Value | None:
    return FilePath("", anchored=False)


def _package_files(world: World, args: Args, frame: Frame) -> Value | None:
    """`importlib.resources.files("pkg.prompts")`."""
    first = pick(tuple(args), None, 0)
    return _package(world, first, frame) if first is not None else None


def _package_text(world: World, args: Args, frame: Frame) -> Value | None:
    package, name = pick(tuple(args), None, 0), pick(tuple(args), None, 1)
    folder = _package(world, package, frame) if package is not None else None
    found = joined(folder, name) if folder is not None and name is not None else None
    return content(world, found, frame) if found is not None else None


def _package(world: World, value: Value, frame: Frame) -> FilePath | None:
    if isinstance(value, External) and value.name in ("__package__", "__name__"):
        return FilePath(_folder(frame.path))
    literal = value.literal if isinstance(value, Textual) else None
    return FilePath(literal.replace(".", "/"), anchored=False) if literal else None


def _variants(module: str, *names: str) -> list[str]:
    """The qualified names of a Node module's functions, in all ways to import them."""
    return [
        f"{start}{module}{middle}.{name}" for name in names for start in ("", "node:") for middle in ("", ".default")
    ]


LOADS = (
    *("yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.unsafe_load"),
    *("json.load", "tomllib.load", "tomllib.loads", "tomli.load", "tomli.loads", "toml.load", "toml.loads"),
)
TEMPLATE_FILES = tuple(
    f"{module}.PromptTemplate.from_file"
    for module in ("langchain_core.prompts", "langchain_core.prompts.prompt", "langchain.prompts")
)
SCRIPT_LOADS = tuple(
    f"{module}{middle}.{name}"
    for module, name in (("js-yaml", "load"), ("js-yaml", "safeLoad"), ("yaml", "parse"), ("smol-toml", "parse"))
    for middle in ("", ".default")
)

READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("pathlib.Path", "pathlib.PurePath", "anyio.Path", "os.path.join"), _path),
    **dict.fromkeys(_variants("path", "join", "resolve", "posix.join"), _join),
    **dict.fromkeys(_variants("path", "dirname"), _parent),
    "os.path.dirname": _parent,
    **dict.fromkeys(("os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath"), _same_path),
    **dict.fromkeys((*_variants("url", "fileURLToPath"), *_variants("path", "normalize")), _same_path),
    **dict.fromkeys(("open", "io.open", "codecs.open", "aiofiles.open", "Bun.file"), _open),
    **dict.fromkeys(_variants("fs", "readFileSync", "promises.readFile", "readFile"), _read),
    **dict.fromkeys(_variants("fs/promises", "readFile"), _read),
    **dict.fromkeys(TEMPLATE_FILES, _template_file),
    **dict.fromkeys((*LOADS, *SCRIPT_LOADS), _load),
    **dict.fromkeys(("Deno.readTextFile", "Deno.readTextFileSync"), _read),
    **dict.fromkeys(("os.getcwd", "pathlib.Path.cwd", "process.cwd"), _working_folder),
    **dict.fromkeys(("importlib.resources.files", "importlib_resources.files"), _package_files),
    **dict.fromkeys(
        ("importlib.resources.read_text", "importlib_resources.read_text", "pkgutil.get_data"), _package_text
    ),
    "URL": _url,
}


def read_by(world: World, name: str, args: Args, frame: Frame) -> Value | None:
    """The path or text that a call of what is not in view gives; None where it gives none that is known."""
    reader = READERS.get(name)
    return reader(world, args, frame) if reader is not None else None


# ---------------------------------------------------------------- methods


def _below(world: World, owner: FilePath, args: Args, frame: Frame) -> Value | None:
    return joined(owner, *(value for key, value in args if key is None))


def _beside(world: World, owner: FilePath, args: Args, frame: Frame) -> Value | None:
    first = pick(tuple(args), "name", 0)
    return joined(FilePath(_folder(owner.path), owner.anchored), first) if first is not None else None


def _with_suffix(world: World, owner: FilePath, args: Args, frame: Frame) -> Value | None:
    first = pick(tuple(args), "suffix", 0)
    suffix = first.literal if isinstance(first, Textual) else None
    if suffix is None:
        return None
    return FilePath(posixpath.splitext(owner.path)[0] + suffix, owner.anchored)


def _unchanged(world: World, owner: FilePath, args: Args, frame: Frame) -> Value | None:
    return owner


def _content(world: World, owner: FilePath, args: Args, frame: Frame) -> Value | None:
    return content(world, owner, frame)


PATH_METHODS: Mapping[str, Method] = {
    "joinpath": _below,
    "with_name": _beside,
    "with_suffix": _with_suffix,
    **dict.fromkeys(("resolve", "absolute", "expanduser", "as_posix", "open", "toString", "__enter__"), _unchanged),
    **dict.fromkeys(("read_text", "read", "text", "readText", "read_bytes", "decode"), _content),
}


def path_method(world: World, owner: Value, name: str, args: Args, frame: Frame) -> Value | None:
    """A method of a path, of an open file or of an environment of templates; None for those that are not known."""
    if name in ("get_template", "getTemplate"):
        return _template(world, owner, args, frame)
    if not isinstance(owner, FilePath) or name not in PATH_METHODS:
        return None
    return PATH_METHODS[name](world, owner, args, frame)


LOADERS = ("jinja2.FileSystemLoader", "jinja2.PackageLoader", "jinja2.loaders.FileSystemLoader")


def _template(world: World, owner: Value, args: Args, frame: Frame) -> Value | None:
    """A template that an environment loads from one of its folders."""
    name = pick(tuple(args), "name", 0)
    if not isinstance(owner, Instance) or name is None:
        return None
    loader = owner.argument("loader", None)
    if not isinstance(loader, Instance) or not isinstance(loader.type, External) or loader.type.name not in LOADERS:
        return None
    for folder in _folders(loader):
        path = joined(folder, name)
        found = world.document(path, frame.path) if path is not None else None
        if found is not None:
            return found
    return Unknown("a template that is not in view")


def _folders(loader: Instance) -> list[Value]:
    if isinstance(loader.type, External) and loader.type.name.endswith("PackageLoader"):
        package = loader.argument("package_name", 0)
        below = loader.argument("package_path", 1)
        literal = package.literal if isinstance(package, Textual) else None
        path = below.literal if isinstance(below, Textual) else "templates"
        return [FilePath(f"{literal.replace('.', '/')}/{path}", anchored=False)] if literal else []
    folders = loader.argument("searchpath", 0)
    if folders is None:
        return []
    found: list[Value] = []
    for _, option in options(folders):
        found.extend(option.items if isinstance(option, Items) else (option,))
    return found
