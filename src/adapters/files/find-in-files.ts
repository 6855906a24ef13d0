/** Looks for words in files, to prove an erasure (audit-and-privacy-20). */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A file with a word in it, or in its name; `lines` are the first of those that have one. */
export interface FoundFile {
  readonly path: string
  readonly lines: readonly number[]
}

const LINES_MAX = 10
const CHUNK_BYTES = 1024 * 1024
/** A longer line is looked through in parts that overlap by so much: no word is longer. */
const OVERLAP = 1_000
/** Sound has no letters, and a temporary file is gone in a moment. */
const SILENT = /\.(wav|gsm|ulaw|alaw|g722|tmp)$/

/** Whatever their case and accents, as the database compares them (`folded`). */
export function foldText(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[øłđıæœß]/g, (letter) => PLAIN[letter]!).replaceAll(/\s+/g, ' ')
}

const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe', ß: 'ss' }

/** Files below the directory for which `isTheirs` takes a line, folded; without the folders named in `without`. */
export async function findInFiles(
  directory: string,
  isTheirs: (line: string) => boolean,
  without: readonly string[] = [],
): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name)
    if (entry.isDirectory() && !without.includes(entry.name)) found.push(...(await findInFiles(path, isTheirs)))
    if (!entry.isFile() || SILENT.test(entry.name)) continue
    const lines = await linesWith(path, isTheirs)
    if (lines.length > 0 || isTheirs(foldText(entry.name))) found.push({ path, lines })
  }
  return found
}

async function linesWith(path: string, isTheirs: (line: string) => boolean): Promise<number[]> {
  const found: number[] = []
  const look = (text: string, number: number) => {
    if (found.at(-1) !== number && isTheirs(foldText(text))) found.push(number)
  }
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return found
  try {
    let number = 1
    let rest = ''
    for await (const chunk of file.createReadStream({
      encoding: 'utf8',
      highWaterMark: CHUNK_BYTES,
      autoClose: false,
    })) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) look(line, number++)
      if (rest.length > CHUNK_BYTES) {
        look(rest, number)
        rest = rest.slice(-OVERLAP)
      }
      if (found.length >= LINES_MAX) return found.slice(0, LINES_MAX)
    }
    look(rest, number)
  } finally {
    await file.close()
  }
  return found
}
