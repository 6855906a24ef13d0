/** Unpacks parts of a ZIP file up to their declared size, and packs them into a new, uncompressed one. */
import { crc32, inflateRawSync } from 'node:zlib'
import { SheetFault } from './sheet-limits.ts'
import type { ZipEntry } from './zip-directory.ts'

export interface ZipPart {
  readonly name: string
  readonly bytes: Buffer
}

const BROKEN = 'the file is damaged, or says other sizes than it has; open it in a spreadsheet program and save it anew'

/** The bytes of a part: of the declared size and checksum, or a `SheetFault`. */
export function unpacked(zip: Buffer, { offset, packedBytes, bytes, isPacked, crc32: sum }: ZipEntry): Buffer {
  const packed = zip.subarray(offset, offset + packedBytes)
  const plain = isPacked ? inflated(packed, bytes) : packed
  if (plain.length !== bytes || crc32(plain) !== sum) throw new SheetFault(BROKEN)
  return plain
}

function inflated(packed: Buffer, bytes: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
  } catch {
    throw new SheetFault(BROKEN)
  }
}

/** An uncompressed ZIP file of exactly these parts, in this order. */
export function plainZip(parts: readonly ZipPart[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of parts) {
    const rawName = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x0800, 2)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(rawName.length, 22)
    const where = Buffer.alloc(14)
    where.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, where, rawName)
    pieces.push(Buffer.from('PK\x03\x04', 'latin1'), facts, rawName, bytes)
    offset += 30 + rawName.length + bytes.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, listed, end])
}
