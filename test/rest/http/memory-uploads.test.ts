import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { filesInMemory } from '../../../src/rest/http/memory-uploads.ts'

test('a file in memory is read whole or in part, until it is removed; an oversized one is not kept', async () => {
  const store = filesInMemory()
  const kept = await store.write(Readable.from([Buffer.from('ab'), Buffer.from('cde')]), 5)
  if (typeof kept === 'string') throw new Error(kept)
  expect(kept).toMatchObject({ sizeBytes: 5, sha256: expect.stringMatching(/^36bbe50e/) })
  const read = async (range?: { from: number; to: number }) =>
    (await (await store.read(kept.storage, range))?.toArray())?.join('')
  expect([await read(), await read({ from: 1, to: 2 })]).toEqual(['abcde', 'bc'])
  await store.remove(kept.storage)
  expect(await read()).toBeUndefined()
  expect(await store.write(Readable.from([Buffer.from('abcdef')]), 5)).toBe('too large')
})
