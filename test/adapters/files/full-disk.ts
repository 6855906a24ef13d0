/** A disk with room for some bytes: a larger write is partial and then fails, as on a full disk. */
import { open } from 'node:fs/promises'

/** Opens files of such a disk; `at: 'sync'` fails after the last write, as network disks do. */
export function fullDisk({ bytesLeft, at = 'write' }: { bytesLeft: number; at?: 'write' | 'sync' }): typeof open {
  let left = bytesLeft
  const refuse = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  return async (...args) => {
    const file = await open(...args)
    const { writeFile } = file
    file.writeFile = async (data) => {
      const bytes = data as Uint8Array
      await writeFile.call(file, bytes.subarray(0, left))
      left -= bytes.byteLength
      if (left < 0 && at === 'write') refuse()
    }
    if (at === 'sync') file.sync = async () => refuse()
    return file
  }
}
