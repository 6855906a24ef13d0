/** The contract's way to all communication of a case, with activities that really came in (contract.md §4.2, §4.5). */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFileStore } from '../../../src/adapters/files/file-store.ts'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { transcriptRoutes } from '../../../src/rest/calls/transcripts.ts'
import { activityRoutes } from '../../../src/rest/cases/activities.ts'
import { activityLinkRoutes } from '../../../src/rest/cases/activity-links.ts'
import { searchCasesRoute } from '../../../src/rest/cases/case-search.ts'
import { saveCaseRoute } from '../../../src/rest/cases/cases.ts'
import { addTextRoute } from '../../../src/rest/cases/comments.ts'
import { coreFileRoutes } from '../../../src/rest/cases/files.ts'
import { emailContentRoutes } from '../../../src/rest/mail/email-content.ts'
import { postgresCallJobs } from '../../../src/store/calls/call-jobs.ts'
import { postgresTranscripts } from '../../../src/store/calls/transcripts.ts'
import { postgresActivities } from '../../../src/store/cases/activities.ts'
import { postgresCases } from '../../../src/store/cases/cases.ts'
import { postgresFiles } from '../../../src/store/cases/files.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import { postgresMails } from '../../../src/store/mail/mail-repository.ts'
import { readerHere } from '../../adapters/mail/reader-here.ts'
import { email, HEAD, multipart } from '../../adapters/mail/ugly-mails.ts'
import { putter } from '../../store/cases/put-activities.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchboard-path-'))
const HELP = { corporation: OURS, address: 'help@us.example', name: 'Help', team: undefined, opensCases: true }
let world: RestWorld
let intake: MailIntake

beforeAll(async () => {
  const clock = new RealClock()
  const fileStore = await openFileStore({ directory, clock, secretBytes: randomBytes, log: silentLog })
  world = await openRestWorld({
    routes: (dependencies) => [
      ...[...activityRoutes(dependencies), ...activityLinkRoutes(dependencies), ...coreFileRoutes(dependencies)],
      ...[...emailContentRoutes(dependencies), ...transcriptRoutes(dependencies), searchCasesRoute(dependencies)],
      ...[saveCaseRoute(dependencies), addTextRoute(dependencies)],
    ],
    parts: (pools) => ({
      activities: postgresActivities(pools),
      files: postgresFiles(pools),
      fileStore,
      log: silentLog,
      mails: postgresMails(pools),
      dialerRepository: postgresDialerRepository(pools),
      transcripts: postgresTranscripts(pools),
      cases: postgresCases(pools),
    }),
  })
  intake = new MailIntake({
    clock,
    log: silentLog,
    reader: readerHere(clock),
    mails: world.parts.mails,
    fileStore,
    mailboxes: [HELP],
  })
})
afterAll(async () => {
  await world.close()
  rmSync(directory, { recursive: true, force: true })
})

interface Seen {
  readonly eactId: number
  readonly activityType: { readonly eatyId: number }
  readonly links: readonly { type: number; from: { eactId: number }; to: { eactId: number } }[]
  readonly recordings: readonly { pcreId: number }[]
  readonly coreFileReferences: readonly { cfreId: number; type: number; fileName: string }[]
}

const read = async (query: string): Promise<Seen[]> => (await world.call('GET', `/svcems/activities?${query}`)).body
const search = async (body: object): Promise<Seen[]> =>
  (await world.call('POST', '/rest/svcems/activities/search', body)).body
const linksOf = async (id: number, type: number) => {
  const [found] = await read(`eactId=${id}`)
  return found?.links.filter((link) => link.type === type) ?? []
}

/** An email with a file, and the answer to it: they open a case. */
async function caseOfEmails(host = 'x'): Promise<number> {
  const [first, second] = [`<one@${host}>`, `<two@${host}>`]
  const head = HEAD.filter((line) => !line.startsWith('Message-ID'))
  const file = ['Content-Type: text/csv; name="list.csv"', 'Content-Disposition: attachment', '', 'a,b']
  const parts = multipart('m', ['Content-Type: text/plain', '', 'Hello'], file)
  await intake.take(email(...head, `Message-ID: ${first}`, ...parts), HELP, 'petra@debtor.example')
  const answer = [`Message-ID: ${second}`, `In-Reply-To: ${first}`, '', 'And thank you']
  const kept = await intake.take(email(...head, ...answer), HELP, 'petra@debtor.example')
  if (kept.outcome !== 'kept') throw new Error(kept.outcome)
  const [toConversation] = await linksOf(kept.activity, 13)
  const [toCase] = await linksOf(toConversation?.to.eactId ?? 0, 14)
  return toCase?.to.eactId ?? 0
}

const comment = (eactId: number, text: string) =>
  world.call('POST', '/rest/svcems/activitytexts', { text, activity: { eactId } })

/** Uploads a text file; returns its reference. */
async function upload(eactId: number, fileName: string) {
  const head = `--b\r\nContent-Disposition: form-data; name="files"; filename="${fileName}"`
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const path = `/rest/core/corefile?tblId=35007&type=3&id=${eactId}`
  const put = await world.call('POST', path, undefined, { text: `${head}\r\n\r\nhello\r\n--b--\r\n`, headers })
  expect(put.status).toBe(200)
  return put.body[0]
}

/** A recorded call with a transcript. */
async function transcribedCall(): Promise<ActivityId> {
  const recordings = [{ file: 'talk.wav', startedAtMs: 0, endedAtMs: 2_000, state: 'ready' }] as const
  const call = await world.parts.dialerRepository.finishCall(callOf('call', 60_000, { direction: 'in', recordings }))
  if (call.outcome === 'refused') throw new Error(call.why)
  const jobs = postgresCallJobs(world.pools)
  await jobs.begin({ sinceAtMs: 0, countMax: 10, atMs: 70_000 })
  const job = await jobs.claim(70_000, 80_000)
  const parts = [{ channel: 0, speaker: 'customer', startMs: 0, endMs: 1_500, text: 'Hi', confidence: null }] as const
  if (!job) throw new Error('there is nothing to write down')
  await jobs.keepTranscript(job, { language: 'en', durationMs: 2_000, parts }, { eventName: 'evt', atMs: 75_000 })
  return call.activity
}

test('a case leads to its emails, their files, its calls and their transcripts', async () => {
  const id = await caseOfEmails()
  const call = await transcribedCall()
  const link = { type: 14, from: { eactId: call }, to: { eactId: id } }
  expect((await world.call('PUT', '/svcems/activitylinks', link)).status).toBe(200)

  const [found] = (await world.call('POST', '/itxems/cases/search', { eactIds: [id] })).body as Seen[]
  const intoCase = found?.links.filter(({ type, to }) => type === 14 && to.eactId === id) ?? []
  const sources = intoCase.map(({ from }) => from.eactId)
  const linked = await search({ eactIds: sources })
  expect(linked.map(({ activityType }) => activityType.eatyId).sort()).toEqual([10, 21])
  const ofType = (type: number) => linked.find(({ activityType }) => activityType.eatyId === type)

  const filter = { eactIds: [ofType(21)?.eactId], linkTypes: [13], linkDirection: 'FROM' }
  const emails = await search({ activityLinkFilters: [filter], getFiles: true })
  const contents = await Promise.all(
    emails.map(({ eactId }) => world.call('GET', `/rest/svcems/emailcontent?eactId=${eactId}`)),
  )
  expect(contents.map(({ text }) => text.trim()).sort()).toEqual(['And thank you', 'Hello'])
  const files = emails.flatMap(({ coreFileReferences }) => coreFileReferences).filter(({ type }) => type < 3)
  expect(files).toMatchObject([{ type: 2, fileName: 'list.csv' }])
  const { text } = await world.call('GET', `/rest/core/corefile?cfreId=${files[0]?.cfreId}`)
  expect(text.trim()).toBe('a,b')

  const referenceIds = ofType(10)?.recordings.map(({ pcreId }) => pcreId)
  const input = { referenceIds, referenceTables: [{ id: 21_001 }] }
  const transcripts = await world.call('POST', '/rest/core/transcript/search', input)
  expect(transcripts.body).toMatchObject([{ referenceId: referenceIds?.[0], text: expect.stringContaining('Hi') }])
})

test('a file added to a case is found among its files', async () => {
  const id = await putter(world.pools).putCase()
  const { cfreId } = await upload(id, 'note.txt')
  const [activity] = await read(`eactId=${id}&getFiles=true`)
  const [found] = (await world.call('POST', '/rest/svcems/cases/search', { eactIds: [id] })).body
  for (const one of [activity, found]) {
    expect(one.coreFileReferences).toMatchObject([{ cfreId, type: 3, fileName: 'note.txt' }])
  }
})

test('a case gathers emails, comments, files, sub-cases and its outcome in one record', async () => {
  const id = await caseOfEmails('y')
  const under = await putter(world.pools).putCase()
  const link = { type: 16, from: { eactId: under }, to: { eactId: id } }
  expect((await world.call('PUT', '/svcems/activitylinks', link)).status).toBe(200)
  expect((await comment(id, 'Called back')).status).toBe(200)
  await upload(id, 'bill.txt')
  expect((await world.call('POST', '/rest/svcems/case', { eactId: id, status: 2 })).status).toBe(200)

  const [found] = (await world.call('POST', '/rest/svcems/cases/search', { eactIds: [id] })).body
  const [conversation] = found.links.filter(({ type }: { type: number }) => type === 14)
  const filter = { eactIds: [conversation.from.eactId], linkTypes: [13], linkDirection: 'FROM' }
  expect(await search({ activityLinkFilters: [filter] })).toHaveLength(2)
  expect(found).toMatchObject({
    links: expect.arrayContaining([expect.objectContaining({ type: 16, from: { eactId: under } })]),
    texts: [expect.objectContaining({ text: 'Called back' })],
    coreFileReferences: [expect.objectContaining({ fileName: 'bill.txt' })],
  })
  expect(JSON.stringify(found.logs)).toContain('status')
})

test('cases that are taken apart have what each had before; what came later stays with the target', async () => {
  const [source, target] = [await caseOfEmails('source'), await caseOfEmails('target')]
  const [inner, other] = [await putter(world.pools).putCase(), await putter(world.pools).putCase()]
  for (const [from, to, word] of [
    [inner, source, 'source'],
    [other, target, 'target'],
  ] as const) {
    const link = { type: 16, from: { eactId: from }, to: { eactId: to } }
    expect((await world.call('PUT', '/svcems/activitylinks', link)).status).toBe(200)
    await comment(to, word)
    await upload(to, `${word}.txt`)
  }
  const shown = async (eactId: number) => {
    const [found] = (await world.call('POST', '/rest/svcems/cases/search', { eactIds: [eactId] })).body
    return {
      links: found.links.filter(({ to }: Seen['links'][number]) => to.eactId === eactId),
      texts: found.texts.map(({ text }: { text: string }) => text),
      files: found.coreFileReferences.map(({ fileName }: { fileName: string }) => fileName),
    }
  }
  const [ofSource, ofTarget] = [await shown(source), await shown(target)]
  const merge = (mergedTo: object | null) => world.call('POST', '/rest/svcems/case', { eactId: source, mergedTo })
  expect((await merge({ eactId: target })).status).toBe(200)
  expect(await shown(source)).toEqual({ links: [], texts: [], files: [] })
  await comment(source, 'later')
  await upload(target, 'later.txt')
  expect((await merge(null)).status).toBe(200)
  expect(await shown(source)).toEqual(ofSource)
  const { links, texts, files } = ofTarget
  expect(await shown(target)).toEqual({ links, texts: [...texts, 'later'], files: [...files, 'later.txt'] })
})
