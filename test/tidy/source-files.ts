/** The files that the rules check. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file, in the forms that rules read. Paths are relative to the repository. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  /** The same lines with comments blanked out. */
  readonly code: readonly string[]
}

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDERS = ['src', 'test', 'asterisk', 'bench', 'demo', 'scripts']
const GENERATED = ['src/ari/ari-types.ts', 'src/client/operations.ts']

/** Every handwritten TypeScript file. */
export function houseFiles(): SourceFile[] {
  return FOLDERS.filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap(pathsIn)
    .filter((path) => !GENERATED.includes(path))
    .map((path) => sourceFile(path, readFileSync(join(ROOT, path), 'utf8')))
}

/** A file from its text: a real one, or one with a planted fault. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, lines: linesOf(text), code: linesOf(withoutComments(text)) }
}

/** Whether it belongs to the service or its demo: most rules are about these. */
export function isSrc(path: string): boolean {
  return path.startsWith('src/') || path.startsWith('demo/')
}

/** Line numbers, as editors count. */
export function placesOf(lines: readonly string[], isFault: (line: string, index: number) => boolean): number[] {
  return lines.flatMap((line, index) => (isFault(line, index) ? [index + 1] : []))
}

function pathsIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

/** Good enough for our own code: strings are skipped, because of `//` inside an address. */
function withoutComments(text: string): string {
  const tokens = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g
  return text.replace(tokens, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, '') : token))
}
