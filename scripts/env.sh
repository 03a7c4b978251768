# Sourced by the other scripts: finds the tree, and installs and builds only what is missing.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1

say() { printf '%s\n' "$*" >&2; }

# The first thing a person needs to hear, in one sentence.
need() {
  command -v "$1" >/dev/null 2>&1 || { say "$2"; exit 1; }
}

check_tools() {
  need node "Dunlin needs Node.js 20.19 or later (below 23); install it and run this again."
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a === 20 && b >= 19 || a === 21 || a === 22 ? 0 : 1)' ||
    { say "Dunlin needs Node.js 20.19 or later and below 23; this is $(node --version)."; exit 1; }
  need npm "Dunlin needs npm, which comes with Node.js; install it and run this again."
  need python3 "Dunlin needs python3 to build its native addon; install it and run this again."
  need g++ "Dunlin needs a C++ compiler to build its native addon; install g++ and run this again."
  need make "Dunlin needs make to build its native addon; install it and run this again."
}

# Installs a Debian package that brings the command $1, when that can be done; names what is missing when not.
want() {
  command -v "$1" >/dev/null 2>&1 && return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing $2 …"
    apt-get install -y --no-install-recommends "$2" >/dev/null 2>&1 ||
      { apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends "$2" >/dev/null 2>&1; } || true
  fi
  command -v "$1" >/dev/null 2>&1 || { say "$1 is missing and could not be installed: install the package $2 ($3)."; return 1; }
}

# Runs a long command without its output, and says every 15 s that it still goes on.
patiently() {
  local began=$SECONDS ticker status=0
  # Whoever interrupts the script ends this too.
  while sleep 15 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do say "… still at it after $((SECONDS - began)) s"; done </dev/null >/dev/null &
  ticker=$!
  "$@" >/dev/null || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  return "$status"
}

# Packages, by the lock file; what has to be compiled of them follows beside the rest (compile_packages).
install_packages() {
  # npm writes its hidden lock file last, so an install that was cut short is begun again.
  if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
    say "installing packages …"
    patiently npm ci --ignore-scripts --no-audit --no-fund || { say "npm ci failed; run it by hand to see why."; exit 1; }
  fi
}

# The native parts of packages, if a fresh install left them out.
compile_packages() {
  if [ ! -e node_modules/better-sqlite3/build/Release/better_sqlite3.node ]; then
    say "preparing SQLite; where it has to be compiled, this takes a few minutes …"
    patiently npm rebuild better-sqlite3 @serialport/bindings-cpp ||
      { say "SQLite could not be prepared; run 'npm rebuild' to see why."; exit 1; }
  fi
}

# Row layouts that the addon and the program share, with which both are compiled; the table of MAVLink messages; the geoid.
generate_sources() {
  node scripts/generate_layouts.mjs || { say "the row layouts in native/layouts.json could not be generated."; exit 1; }
  node scripts/generate_mavlink_messages.mjs || { say "the MAVLink messages could not be generated."; exit 1; }
  node scripts/generate_geoid.mjs || { say "the geoid could not be bundled."; exit 1; }
}

build_native() {
  addon=native/build/Release/dunlin.node
  if [ ! -e "$addon" ] || [ -n "$(find native -name build -prune -o -name test -prune -o \( -name '*.h' -o -name '*.cc' -o -name '*.gyp' \) -newer "$addon" -print -quit)" ]; then
    say "building the native addon …"
    patiently npm run --silent install || { say "the native addon did not build; run 'npm run install' to see why."; exit 1; }
  fi
}

build_typescript() {
  npx --no-install tsc -b || { say "TypeScript did not compile."; exit 1; }
  npx --no-install tsc -p src/console || { say "The console's TypeScript did not compile."; exit 1; }
}

# The bundle that runs. Loading its modules one by one takes twice the CPU time.
bundle() {
  bundled=build/dist/main.js
  if [ ! -e "$bundled" ] || [ -n "$(find src scripts/bundle.ts package-lock.json -newer "$bundled" -print -quit)" ]; then
    node build/scripts/bundle.js || { say "the program could not be bundled."; exit 1; }
  fi
}

# The operator console, as files that the daemon serves.
build_console() {
  built=build/console/index.html
  if [ ! -e "$built" ] || [ -n "$(find src/console src/model scripts/build_console.ts package-lock.json -newer "$built" -print -quit)" ]; then
    node build/scripts/build_console.js || { say "the console could not be built."; exit 1; }
  fi
}

# Installs and builds. The arguments are a command that runs while SQLite and the addon are compiled.
prepare() {
  check_tools
  install_packages
  generate_sources
  # These keep a core busy for minutes, and nothing else here needs them.
  compile_packages &
  local packages=$!
  build_native &
  local addon=$!
  build_typescript
  bundle
  build_console
  "${@:-:}"
  wait "$packages" || exit 1
  wait "$addon" || exit 1
}
