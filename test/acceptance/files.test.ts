/** §4.4: files of a case. */
import { beforeAll, expect, test } from 'vitest'
import { activitiesOf, type Case, caseOf, type Desk, makeCase, openDesk } from './place/records.ts'

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, value) => value))
let desk: Desk

beforeAll(async () => {
  desk = await openDesk('files')
})

type Uploaded = readonly Case['coreFileReferences'][number][]

function formWith(files: readonly (readonly [name: string, bytes: Buffer | string])[], part = 'files'): FormData {
  const form = new FormData()
  for (const [name, bytes] of files) form.append(part, new Blob([bytes as never]), name)
  return form
}

const upload = (query: string, body: unknown, headers = {}) =>
  desk.raw('POST', `/rest/core/corefile?${query}`, body, headers)

test('files are uploaded to the case that the id names [acc 130, 203, 204, 205, 206 by HTTP]', async () => {
  const [ours, another] = [await makeCase(desk), await makeCase(desk)]
  const form = formWith([
    ['every byte.pdf', EVERY_BYTE],
    ['brev til Åse.txt', 'Kære Åse'],
  ])
  const { status, body } = await upload(`tblId=35007&type=3&id=${ours.eactId}`, form)
  expect(status).toBe(200)
  const [first, second] = body as Uploaded
  const files = (await caseOf(desk, ours.eactId)).coreFileReferences
  expect(files).toMatchObject([
    { cfreId: first!.cfreId, type: 3, fileName: 'every byte.pdf', size: 256, creationTs: expect.any(String) },
    { cfreId: second!.cfreId, type: 3, fileName: 'brev til Åse.txt', size: 10 },
  ])
  const fetched = await desk.raw('GET', `/rest/core/corefile?cfreId=${files[0]!.cfreId}`)
  expect(fetched.bytes.equals(EVERY_BYTE)).toBe(true)
  expect((await desk.raw('GET', `/rest/core/corefile?cfreId=${files[1]!.cfreId}`)).bytes.toString()).toBe('Kære Åse')
  expect((await caseOf(desk, another.eactId)).coreFileReferences).toEqual([])
  // A second upload comes to the first; the activity shows both too.
  await upload(`tblId=35007&type=3&id=${ours.eactId}`, formWith([['later.txt', 'later']]))
  const later = await caseOf(desk, ours.eactId)
  expect(later.coreFileReferences.map(({ fileName }) => fileName)).toEqual([
    'every byte.pdf',
    'brev til Åse.txt',
    'later.txt',
  ])
  expect((await activitiesOf(desk, ours.eactId))[0]!.coreFileReferences).toEqual(later.coreFileReferences)
})

test('an upload that is none of the contract stores nothing [acc 203, 204, 205 by HTTP]', async () => {
  const { eactId } = await makeCase(desk)
  const file = () => formWith([['none.txt', 'none']])
  const ours = `tblId=35007&type=3&id=${eactId}`
  const wrong: [query: string, body: unknown, headers?: Readonly<Record<string, string>>][] = [
    [`tblId=35008&type=3&id=${eactId}`, file()],
    [`type=3&id=${eactId}`, file()],
    [`tblId=35007&type=2&id=${eactId}`, file()],
    [`tblId=35007&id=${eactId}`, file()],
    ['tblId=35007&type=3', file()],
    ['tblId=35007&type=3&id=999999999', file()],
    [ours, formWith([['none.txt', 'none']], 'file')],
    [ours, new FormData()],
    [ours, { files: 'none' }],
    [ours, 'none', { 'content-type': 'application/octet-stream' }],
  ]
  for (const [query, body, headers] of wrong) {
    const { status } = await upload(query, body, headers)
    expect([400, 404, 415], `${query} ${String(body)}`).toContain(status)
  }
  expect((await caseOf(desk, eactId)).coreFileReferences).toEqual([])
})
