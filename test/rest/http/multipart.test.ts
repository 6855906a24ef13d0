/** Multipart forms: in pieces of any size, and damaged in any way (F-I12). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundaryOf, MultipartFault, readParts } from '../../../src/rest/http/multipart.ts'

const BOUNDARY = 'b7'

interface Read {
  readonly name: string
  readonly fileName: string | undefined
  readonly mimeType: string
  readonly bytes: string
}

async function* pieces(bytes: Buffer, sizes: readonly number[]) {
  for (let from = 0, place = 0; from < bytes.length; place++) {
    const size = sizes[place % sizes.length] ?? 1
    yield bytes.subarray(from, from + size)
    from += size
  }
}

async function read(form: Buffer | string, sizes: readonly number[] = [1 << 20]): Promise<Read[]> {
  const parts: Read[] = []
  for await (const { bytes, ...part } of readParts(pieces(Buffer.from(form), sizes), BOUNDARY)) {
    const all: Buffer[] = []
    for await (const piece of bytes) all.push(piece)
    parts.push({ ...part, bytes: Buffer.concat(all).toString('latin1') })
  }
  return parts
}

const partOf = (bytes: string, head = 'Content-Disposition: form-data; name="files"; filename="a"') =>
  `--${BOUNDARY}\r\n${head}\r\n\r\n${bytes}\r\n`
const END = `--${BOUNDARY}--\r\n`
const nameIn = async (parameters: string) =>
  (await read(partOf('x', `Content-Disposition: form-data; ${parameters}`) + END))[0]

describe('a form', () => {
  test('has the same parts in pieces of any size, with any file contents', async () => {
    const near = fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '-',
      '--',
      `--${BOUNDARY}`,
      `\r\n--b`,
      '\r\n\r\n',
      'x',
      '\u0000',
      'ÿ',
    )
    const bytes = fc
      .array(near, { maxLength: 12 })
      .map((all) => all.join(''))
      // A file that contains the boundary ends there: a correct client chooses another boundary.
      .filter((text) => !`\r\n${text}\r\n`.includes(`\r\n--${BOUNDARY}`))
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 4 }), sizes, async (files, cut) => {
        const form = Buffer.from(files.map((file) => partOf(file)).join('') + END, 'latin1')
        expect((await read(form, cut)).map((part) => part.bytes)).toEqual(files)
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test('may have a preamble, blanks after a boundary, and text after its end', async () => {
    const part = { name: 'files', fileName: 'a', mimeType: 'application/octet-stream', bytes: 'x' }
    expect(await read(`Hello.\r\n${partOf('x')}${END}Good bye.`)).toEqual([part])
    expect(await read(partOf('x').replace('\r\n', ' \t\r\n') + END)).toEqual([part])
    expect(await read(`${partOf('x')}--${BOUNDARY}--`)).toEqual([part])
    expect(await read(END)).toEqual([])
  })

  test('has the part and file names of browsers, Outlook and scripts', async () => {
    expect(await nameIn('name=files; filename=a.txt')).toMatchObject({ name: 'files', fileName: 'a.txt' })
    expect(await nameIn('NAME="files";FILENAME="a;b=c.txt"')).toMatchObject({ name: 'files', fileName: 'a;b=c.txt' })
    expect((await nameIn('name="files"; filename="C:\\dir\\a.txt"'))?.fileName).toBe('C:\\dir\\a.txt')
    expect((await nameIn('name="files"; filename="a%22b%0d%0Ac.txt"'))?.fileName).toBe('a"b  c.txt')
    expect((await nameIn('name="files"; filename="a\\"b.txt"'))?.fileName).toBe('a"b.txt')
    expect((await nameIn('name="files"; filename="æ.txt"'))?.fileName).toBe('æ.txt')
    expect((await nameIn(`name="files"; filename="_.txt"; filename*=UTF-8''%C3%A6.txt`))?.fileName).toBe('æ.txt')
    expect((await nameIn(`name="files"; filename="_.txt"; filename*=UTF-8''%FF.txt`))?.fileName).toBe('_.txt')
    expect((await nameIn('name="one"; name="two"'))?.name).toBe('one')
    expect(await nameIn('x=y')).toMatchObject({ name: '', fileName: undefined })
  })

  test('F-I12: damaged anywhere, is still a form or a described fault, and always ends', async () => {
    const good = Buffer.from(
      partOf('one', 'Content-Disposition: form-data; name="files"\r\nContent-Type: a/b') + partOf('two') + END,
    )
    const spoil = fc.record({
      place: fc.nat(good.length - 1),
      remove: fc.nat(30),
      put: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constantFrom('\r\n', '--', `\r\n--${BOUNDARY}`, '"', ';', ':'),
      ),
    })
    await fc.assert(
      fc.asyncProperty(spoil, fc.integer({ min: 1, max: 50 }), async ({ place, remove, put }, size) => {
        const form = Buffer.concat([good.subarray(0, place), Buffer.from(put), good.subarray(place + remove)])
        await read(form, [size]).catch((error: unknown) => expect(error).toBeInstanceOf(MultipartFault))
      }),
      { numRuns: 500, seed: 1 },
    )
  })

  test('F-I12: a header without end, or of many folded lines, is a fault', async () => {
    await expect(read(partOf('x', `x: ${'y'.repeat(20_000)}`) + END)).rejects.toThrow('too long')
    await expect(read(partOf('x', ': y') + END)).rejects.toThrow('no name')
    await expect(read(`--${BOUNDARY}${' '.repeat(300)}\r\n\r\n`)).rejects.toThrow('unexpected bytes')
  })
})

test('a boundary is read from the Content-Type of a form, or is absent', () => {
  expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc')
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; Boundary="a b"')).toBe('a b')
  for (const none of ['multipart/form-data', 'multipart/mixed; boundary=a', 'multipart/form-data; boundary="a "', '']) {
    expect(boundaryOf(none)).toBeUndefined()
  }
})
