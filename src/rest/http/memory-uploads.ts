/** Temporary uploads in RAM: files are gone after the request, also if the process crashes. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { StorageName } from '../../kernel/ids.ts'
import type { FileStore } from '../../ports/files.ts'

/** A file store for uploads with `isTemporary`. */
export function filesInMemory(): FileStore {
  const files = new Map<StorageName, Buffer>()
  let count = 0
  return {
    async write(bytes, sizeBytesMax) {
      const pieces: Uint8Array[] = []
      let sizeBytes = 0
      for await (const piece of bytes) {
        sizeBytes += piece.length
        if (sizeBytes > sizeBytesMax) return 'too large'
        pieces.push(piece)
      }
      const storage = `memory-${++count}` as StorageName
      const whole = Buffer.concat(pieces, sizeBytes)
      files.set(storage, whole)
      return { storage, sizeBytes, sha256: createHash('sha256').update(whole).digest('hex') }
    },
    async read(storage, range) {
      const whole = files.get(storage)
      const part = range ? whole?.subarray(range.from, range.to + 1) : whole
      return part && Readable.from([part], { objectMode: false })
    },
    async remove(storage) {
      files.delete(storage)
    },
  }
}
