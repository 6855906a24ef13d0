/** Unified patches, applied by what they say and not by line numbers. A place not found exactly once is an error. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

interface Hunk {
  readonly file: string
  readonly before: string
  readonly after: string
}

/** A planted bug: what it is, and where. */
export interface Mutant {
  readonly name: string
  readonly what: string
  readonly patch: string
}

/** Reads a patch whose first line says, behind `# `, what bug it plants. */
export function mutantOf(name: string, text: string): Mutant {
  const [first = ''] = text.split('\n', 1)
  if (!first.startsWith('# '))
    throw new Error(`${name}: the first line must say what bug it is, such as "# Dials twice."`)
  return { name, what: first.slice(2), patch: text }
}

/** The files of the tree at `root` with the bug in them. Throws where the tree is not what the patch was made for. */
export function planted({ name, patch }: Mutant, root: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const { file, before, after } of hunksOf(patch)) {
    const text = files.get(file) ?? readFileSync(join(root, file), 'utf8')
    const found = text.split(before).length - 1
    if (found !== 1) throw new Error(`${name}: its place in ${file} is found ${found} times; write the patch anew`)
    // Not a pattern: a `$` in the text is a `$`.
    const changed = text.replace(before, () => after)
    files.set(file, changed)
  }
  if (files.size === 0) throw new Error(`${name}: the patch changes nothing`)
  return files
}

/** Plants a bug in the tree at `root`. */
export function plant(mutant: Mutant, root: string): void {
  for (const [file, text] of planted(mutant, root)) writeFileSync(join(root, file), text)
}

/** Every bug of this folder, in the order of their names. */
export function allMutants(): Mutant[] {
  const patches = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.patch'))
  return patches.sort().map((file) => {
    return mutantOf(basename(file, '.patch'), readFileSync(join(import.meta.dirname, file), 'utf8'))
  })
}

function hunksOf(patch: string): Hunk[] {
  const hunks: { file: string; before: string; after: string }[] = []
  let file = ''
  for (const line of patch.split('\n')) {
    if (line.startsWith('+++ b/')) file = line.slice('+++ b/'.length)
    else if (line.startsWith('@@')) hunks.push({ file, before: '', after: '' })
    else if (line.startsWith('--- ')) continue
    else if (hunks.length > 0) {
      const hunk = hunks.at(-1)!
      const [sign, rest] = [line[0], `${line.slice(1)}\n`]
      if (sign === ' ' || sign === '-') hunk.before += rest
      if (sign === ' ' || sign === '+') hunk.after += rest
    }
  }
  return hunks
}
