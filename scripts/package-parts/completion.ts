import { execFileSync } from 'node:child_process';

/** Commands that the wrapper of the package adds. */
const added = ['rollback', 'upgrade'];

/** Completion for bash: the commands, and the options that the help of each lists. */
export function completionOf(): string {
  const commands = [...helpOf().matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name ?? '');
  const cases = commands.map((name) => {
    const options = new Set([...helpOf(name).matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option));
    return `    ${name}) COMPREPLY+=($(compgen -W "${[...options].sort().join(' ')}" -- "$word")) ;;`;
  });
  return `# Completion of dunlin: commands, options, files.
_dunlin() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands, ...added].join(' ')}" -- "$word"))
    return
  fi
  case "$word" in -*) ;; *) COMPREPLY=($(compgen -f -- "$word")); return ;; esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
}
complete -o filenames -F _dunlin dunlin
`;
}

function helpOf(...command: string[]): string {
  return execFileSync(process.execPath, ['build/dist/main.js', ...command, '--help'], { encoding: 'utf8' });
}
