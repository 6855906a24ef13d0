import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AtMs } from '../../kernel/clock.ts'
import type { StorageName } from '../../kernel/ids.ts'
import type { FileStore } from '../../ports/files.ts'
import type { KeptBytes } from '../../ports/privacy.ts'
import { eraseTraces, storyOf, type TracePlaces } from './erase-files.ts'
import { type QuarantinePlaces, quarantine } from './quarantine.ts'

interface KeptBytesDependencies extends TracePlaces, QuarantinePlaces {
  readonly fileStore: Pick<FileStore, 'remove'>
}

/** A plain name: no folder, no hidden file, no way up. */
const RECORDING = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/
const STORED = /^[0-9a-f]{40}$/

/** The bytes of recordings, which Asterisk writes, and of files, which the file store writes. */
export function keptBytes(dependencies: KeptBytesDependencies): KeptBytes {
  const { recordingsDirectory, filesDirectory, fileStore } = dependencies
  return {
    forget: (traces) => eraseTraces(dependencies, traces),
    story: (traces, linesMax, linesBefore) => storyOf(dependencies, traces, linesMax, linesBefore),
    quarantine: quarantine(dependencies),
    async remove({ recordings, files }) {
      const removals = [
        ...recordings
          .filter((each) => RECORDING.test(each))
          .map((name) => () => rm(join(recordingsDirectory, name), { force: true })),
        ...files.map((name) => () => fileStore.remove(name as StorageName)),
      ]
      const failures: unknown[] = []
      // One that may not be removed must not keep the others.
      for (const removal of removals) await removal().catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
    async olderThan(atMs) {
      const recordings = await namesIn(recordingsDirectory, RECORDING, atMs)
      const files = await namesIn(filesDirectory, STORED, atMs)
      return { recordings, files }
    },
  }
}

/** A missing folder is empty. Recordings are at the top level of theirs only. */
async function namesIn(directory: string, pattern: RegExp, beforeAtMs: AtMs): Promise<string[]> {
  const recursive = pattern === STORED
  const paths = await readdir(directory, { recursive }).catch(() => [])
  const names: string[] = []
  for (const path of paths) {
    const name = basename(path)
    if (!pattern.test(name)) continue
    const facts = await stat(join(directory, path)).catch(() => undefined)
    if (facts?.isFile() && facts.mtimeMs < beforeAtMs) names.push(name)
  }
  return names
}
