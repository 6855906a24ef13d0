/** Recordings as files (D-20). */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordingFile } from '../../ports/dialer-admin-repository.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import type { FileToSend } from '../http/file-response.ts'

/** A plain file name: no folder, no hidden file. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/
const TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav' }

/** A regular file in the folder itself, no link. `id` is part of the version: a recording is never written again. */
export async function recordingToSend(
  { recordingsDirectory }: Pick<RestDependencies, 'recordingsDirectory'>,
  { name }: RecordingFile,
  id: number,
): Promise<FileToSend | undefined> {
  const path = join(recordingsDirectory, name)
  const opened = async () => {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
    const facts = await file?.stat()
    if (facts?.isFile()) return { file: file!, facts }
    await file?.close()
    return undefined
  }
  const first = PLAIN_NAME.test(name) ? await opened() : undefined
  if (!first) return undefined
  const { size, mtimeMs } = first.facts
  await first.file.close()
  return {
    sizeBytes: size,
    version: [id, size, Math.floor(mtimeMs)].map((part) => part.toString(36)).join('-'),
    fileName: name,
    mimeType: TYPES[name.split('.').at(-1) ?? ''] ?? '',
    isInline: false,
    // The stream closes the file in any case. An empty file has no last byte, hence no range.
    open: async (range = { from: 0, to: size - 1 }) => {
      const { file } = (await opened()) ?? {}
      return file?.createReadStream(range.to < range.from ? {} : { start: range.from, end: range.to })
    },
  }
}
