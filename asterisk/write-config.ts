import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configFolder, musicFile, RUN_FOLDERS } from './general.ts'
import type { ConfigFiles } from './generate-config.ts'
import { holdMusic } from './hold-music.ts'

/** Whether the files in a run directory equal these. */
export function isWritten(runDirectory: string, config: ConfigFiles): boolean {
  return [...config].every(([name, text]) => textOf(join(configFolder(runDirectory), name)) === text)
}

/**
 * Creates the folders of a run directory and writes the configuration and the music, readable by their owner only: the
 * one holds passwords. Stop a running Asterisk before: `startAsterisk` compares the files to decide whether to keep it.
 */
export function writeConfig(runDirectory: string, config: ConfigFiles, folder = configFolder(runDirectory)): void {
  const folders = [folder, ...RUN_FOLDERS.map((name) => join(runDirectory, name))]
  for (const path of folders) mkdirSync(path, { recursive: true, mode: 0o700 })
  for (const [name, text] of config) writeWhole(join(folder, name), text)
  // The same bytes always: an Asterisk that runs may be reading them.
  if (!existsSync(musicFile(runDirectory))) writeWhole(musicFile(runDirectory), holdMusic())
}

function writeWhole(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The text of a file, or undefined if it is missing. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
