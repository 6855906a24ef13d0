import { expect, test } from 'vitest'
import { changePassword } from '../../src/cli/user.ts'

test('a password that is made never has the user name in it, however short that is', async () => {
  const given = [Buffer.from('xboxboxboxboxboxboxb', 'base64url'), Buffer.alloc(15, 'abcdefghijklmno')]
  const said: string[] = []
  const salted = (bytes: number) => given.shift() ?? Buffer.alloc(bytes, 1)
  const directory = { setPassword: async () => true }
  const registry = { directory, secretBytes: salted } as unknown as Parameters<typeof changePassword>[2]
  expect(await changePassword('bo', undefined, registry, (text) => said.push(text))).toBe(0)
  expect(said.join('')).toContain(Buffer.alloc(15, 'abcdefghijklmno').toString('base64url'))
})
