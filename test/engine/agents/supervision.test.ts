/** Supervisors in conversations on virtual time: who may, what ends it, and what the audit trail says of it. */
import { expect, test } from 'vitest'
import type { AgentName, CorporationId } from '../../../src/kernel/ids.ts'
import type { SupervisionMode } from '../../../src/ports/agent-desktop.ts'
import type { SupervisedPart, Supervisor } from '../../../src/ports/supervision.ts'
import { CampaignWorld, CORPORATION, INBOUND, STAYS } from '../../worlds/campaign-world.ts'

const TEAMS = { collections: ['anna', 'ben'], floor: ['sam', 'tina'] }

class Room {
  readonly parts: SupervisedPart[] = []
  isAuditAway = false
  /** The writes that the audit trail holds back; undefined: none. */
  held: (() => void)[] | undefined
  world!: CampaignWorld

  async open(settings: Readonly<Record<string, unknown>> = {}, hangsUpAfterMs = 600_000): Promise<this> {
    const keepSupervised = async (part: SupervisedPart) => {
      if (this.isAuditAway) throw new Error('the database is away')
      const { held } = this
      if (held) await new Promise<void>((resolve) => held.push(resolve))
      this.parts.push(part)
    }
    this.world = new CampaignWorld({
      teams: TEAMS,
      contactOf: () => ({ does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs }),
      parts: ({ dialer }) => ({ dialer: { ...dialer!, keepSupervised } }),
    })
    await this.world.campaign(settings)
    await this.world.import(1)
    await this.world.start()
    await this.world.logIn('anna')
    expect(await this.world.until(() => this.desk.talks().length === 1)).toBe(true)
    return this
  }

  get desk() {
    return this.world.engine.supervisions!
  }

  get call(): string {
    return this.desk.talks()[0]!.call
  }

  begin(mode: SupervisionMode, name = 'sam', corporations: readonly CorporationId[] = [CORPORATION]) {
    return this.world.during(this.desk.begin(supervisor(name, corporations), this.call, mode))
  }

  /** Who hears the supervisor now. */
  hearing(name = 'sam'): string[] {
    const { pbx } = this.world
    const ears = { anna: pbx.agentPhone('anna' as AgentName, STAYS), callee: pbx.carrier.calls[0]! }
    return Object.entries(ears).flatMap(([who, { heard }]) =>
      heard.some(({ text, untilMs }) => text === name && untilMs === undefined) ? [who] : [],
    )
  }

  hears(name = 'sam'): number {
    const { heard } = this.world.pbx.agentPhone(name as AgentName, STAYS)
    return heard.filter(({ what, untilMs }) => what === 'person' && untilMs === undefined).length
  }

  told(): (SupervisionMode | null)[] {
    return this.world.news.flatMap(({ agent, news }) =>
      agent === 'anna' && news.type === 'supervisor' ? [news.mode] : [],
    )
  }

  seconds(): number {
    return this.parts.reduce((sum, { seconds }) => sum + seconds, 0)
  }

  isAnnaTalking(): boolean {
    return this.world.engine.agentDesktop!.statuses()[0]?.state === 'talking'
  }
}

function supervisor(name: string, corporations: readonly CorporationId[]): Supervisor {
  const who = { credential: 'c-1', user: 5, address: '127.0.0.1', traceId: 't-1' }
  return { agent: name as AgentName, corporations, ...who }
}

test('listens unheard, whispers, joins and leaves; each second is kept, and the agent is told', async () => {
  const room = await new Room().open()
  expect(await room.begin('listen')).toMatchObject({ ok: true, supervision: { state: 'ringing', agent: 'anna' } })
  expect(room.parts).toMatchObject([{ what: 'begin', mode: 'listen', seconds: 0, by: { user: 5 } }])
  await room.world.run(24_000)
  expect([room.hearing(), room.hears()]).toEqual([[], 2])
  expect(room.parts.map(({ what, seconds }) => [what, seconds]).slice(1)).toEqual([
    ['goes on', 10],
    ['goes on', 10],
  ])
  expect(await room.begin('whisper')).toMatchObject({ ok: true, supervision: { state: 'on' } })
  await room.world.run(5_000)
  expect(room.hearing()).toEqual(['anna'])
  await room.begin('join')
  await room.world.run(5_000)
  expect(room.hearing()).toEqual(['anna', 'callee'])
  const listening = room.parts.filter(({ mode }) => mode === 'listen').reduce((sum, { seconds }) => sum + seconds, 0)
  expect([listening, room.told()]).toEqual([24, ['listen', 'whisper', 'join']])
  expect(await room.world.during(room.desk.end('sam' as AgentName, room.call))).toBe(true)
  await room.world.run(1_000)
  expect([room.hearing(), room.hears(), room.isAnnaTalking(), room.told().at(-1)]).toEqual([[], 0, true, null])
  expect([room.parts.at(-1), room.seconds()]).toMatchObject([{ what: 'end', secondsInAll: 34 }, 34])
})

test('is told to a screen that comes later', async () => {
  const room = await new Room().open()
  await room.begin('listen')
  await room.world.run(2_000)
  const before = room.told().length
  room.world.engine.agentDesktop!.attach('anna' as AgentName, (news) =>
    room.world.news.push({ agent: 'anna' as AgentName, news, atMs: 0 }),
  )
  expect(room.told().slice(before)).toEqual(['listen'])
})

const ENDINGS: Readonly<Record<string, (room: Room) => void>> = {
  'the callee hangs up': () => {},
  'the supervisor hangs up': ({ world }) => world.pbx.agentPhone('sam' as AgentName, STAYS).hangUp(),
  'the agent hangs up': ({ world }) => void world.order('anna', { type: 'hangUp' }),
  'the supervisor logs in as an agent': ({ world }) => void world.order('sam', { type: 'logIn' }),
  'its campaign is no longer to be listened to': ({ world }) => void world.campaign({ supervision: 'refused' }),
  'its campaign records by consent from now on': ({ world }) => void world.campaign({ recording: { mode: 'consent' } }),
  'the connection to the switch is lost': ({ world }) => world.pbx.cut(3_000),
  'the switch dies': ({ world }) => world.pbx.restart(3_000),
}

test.for(Object.entries(ENDINGS))('ends when %s', async ([name, end]) => {
  const room = await new Room().open({}, name === 'the callee hangs up' ? 20_000 : undefined)
  await room.begin('listen')
  await room.world.run(5_000)
  expect(room.hears()).toBe(2)
  end(room)
  await room.world.run(20_000)
  const ends = room.parts.filter(({ what }) => what === 'end')
  expect([ends.length, room.seconds(), room.hears()]).toEqual([1, ends[0]!.secondsInAll, 0])
})

test('ends with the engine, and the next one finds no leg of it', async () => {
  const room = await new Room().open()
  await room.begin('join')
  await room.world.run(15_000)
  await room.world.crash()
  await room.world.start()
  await room.world.run(2_000)
  expect([room.hearing(), room.hears(), room.isAnnaTalking()]).toEqual([[], 0, true])
  expect(room.seconds()).toBe(10)
  expect(await room.begin('listen')).toMatchObject({ ok: true })
})

test('ends before a planned stop; its last seconds are kept', async () => {
  const room = await new Room().open()
  await room.begin('listen')
  await room.world.run(5_000)
  await room.world.during(room.world.engine.stop())
  await room.world.run(1_000)
  expect([room.parts.at(-1)?.what, room.seconds(), room.hears()]).toEqual(['end', 5, 0])
})

test('ends before a planned stop that comes soon after an outage of the audit trail; no second is lost', async () => {
  const room = await new Room().open()
  await room.begin('listen')
  await room.world.run(8_000)
  room.isAuditAway = true
  expect(await room.world.until(() => room.hears() === 0)).toBe(true)
  await room.world.run(1_000)
  room.isAuditAway = false
  const before = room.parts.length
  await room.world.during(room.world.engine.stop())
  expect(before).toBe(1)
  const inAll = Math.max(...room.parts.map(({ secondsInAll }) => secondsInAll))
  expect(room.seconds()).toBe(inAll)
  expect(inAll).toBeGreaterThanOrEqual(8)
  const kept = room.parts.length
  await room.world.run(20_000)
  expect(room.parts.length).toBe(kept)
})

test.for(['whisper', 'join'] as const)(
  'is silent again for whoever orders to listen while the audit trail takes its time for %s',
  async (mode) => {
    const room = await new Room().open()
    await room.begin('listen')
    await room.world.run(3_000)
    const held: (() => void)[] = []
    room.held = held
    const louder = room.begin(mode)
    const silent = await room.begin('listen')
    for (const write of held) write()
    expect([await louder, silent]).toMatchObject([
      { ok: true, supervision: { mode: 'listen' } },
      { ok: true, supervision: { mode: 'listen' } },
    ])
    await room.world.run(3_000)
    expect([room.hearing(), room.hears(), room.told()]).toEqual([[], 2, ['listen']])
    expect(room.desk.talks()[0]?.supervision?.mode).toBe('listen')
    expect(room.parts.map((part) => [part.what, part.mode])).toEqual([
      ['begin', 'listen'],
      ['begin', mode],
      ['begin', 'listen'],
    ])
  },
)

test('is silent from the first moment where that is ordered while the phone still rings', async () => {
  const room = await new Room().open()
  await room.begin('listen')
  const held: (() => void)[] = []
  room.held = held
  const louder = room.begin('whisper')
  await room.begin('listen')
  for (const write of held) write()
  room.held = undefined
  await louder
  await room.world.run(5_000)
  expect([room.hearing(), room.hears(), room.told()]).toEqual([[], 2, ['listen']])
})

test('is silent at once, while the audit trail takes its time', async () => {
  const room = await new Room().open()
  await room.begin('join')
  await room.world.run(3_000)
  expect(room.hearing()).toEqual(['anna', 'callee'])
  const held: (() => void)[] = []
  room.held = held
  const silent = room.begin('listen')
  await room.world.run(2_000)
  expect([room.hearing(), room.hears()]).toEqual([[], 2])
  for (const write of held) write()
  expect(await silent).toMatchObject({ ok: true, supervision: { mode: 'listen' } })
  room.isAuditAway = true
  room.held = undefined
  expect(await room.begin('join')).toMatchObject({ ok: false, kind: 'unavailable' })
  expect(await room.begin('listen')).toMatchObject({ ok: true })
  await room.world.run(2_000)
  expect(room.hearing()).toEqual([])
})

test('is not possible without the audit trail, and ends when that goes away', async () => {
  const room = await new Room().open()
  room.isAuditAway = true
  expect(await room.begin('listen')).toMatchObject({ ok: false, kind: 'unavailable' })
  await room.world.run(3_000)
  expect(room.hears()).toBe(0)
  room.isAuditAway = false
  await room.begin('listen')
  await room.world.run(8_000)
  room.isAuditAway = true
  await room.world.run(6_000)
  expect([room.hears(), room.isAnnaTalking()]).toEqual([0, true])
  room.isAuditAway = false
  await room.world.run(6_000)
  expect([room.parts.at(-1)?.what, room.seconds()]).toEqual(['end', room.parts.at(-1)?.secondsInAll])
})

test.for([
  ['where the campaign refuses it', { supervision: 'refused' }, 'sam', [CORPORATION], 'conflict'],
  ['where recording is by consent', { recording: { mode: 'consent' } }, 'sam', [CORPORATION], 'conflict'],
  ['without a phone', {}, 'nobody', [CORPORATION], 'conflict'],
  ['in one’s own conversation', {}, 'anna', [CORPORATION], 'conflict'],
  ['of another corporation', {}, 'sam', [2 as CorporationId], 'notFound'],
] as const)('is refused %s', async ([, settings, name, corporations, kind]) => {
  const room = await new Room().open(settings)
  expect(await room.begin('listen', name, corporations)).toMatchObject({ ok: false, kind })
  await room.world.run(3_000)
  expect([room.parts, room.hears()]).toEqual([[], 0])
})

test('is refused to a second supervisor, and where the phone of the first is in use', async () => {
  const room = await new Room().open()
  await room.begin('listen')
  expect(await room.begin('listen', 'tina')).toMatchObject({ ok: false, kind: 'conflict' })
  await room.world.order('tina', { type: 'logIn' })
  await room.world.during(room.desk.end('sam' as AgentName, room.call))
  await room.world.run(2_000)
  expect(await room.begin('listen', 'tina')).toMatchObject({ ok: false, kind: 'conflict' })
})

test('is possible where consent is asked for and the campaign says so; an agent may be left untold', async () => {
  const room = await new Room().open({ recording: { mode: 'consent' }, supervision: 'untold' })
  expect(await room.begin('listen')).toMatchObject({ ok: true })
  await room.world.run(3_000)
  expect([room.hears(), room.told()]).toEqual([2, []])
})

test('works with a caller whose agent’s phone was rung, and who has no session', async () => {
  const room = new Room()
  const keepSupervised = async (part: SupervisedPart) => void room.parts.push(part)
  const steps = 'team: { queue: { team: collections }, next: bye, on: { failed: bye } }'
  const flow = `flow: line\nstart: team\nsteps:\n  ${steps}\n  bye: { hangup: {} }\n`
  room.world = new CampaignWorld({
    teams: TEAMS,
    flow,
    parts: ({ dialer }) => ({ dialer: { ...dialer!, keepSupervised } }),
  })
  await room.world.start()
  room.world.pbx.callIn({ called: INBOUND, caller: '+4551234567', trunk: 'main', person: { waitsMaxMs: 600_000 } })
  expect(await room.world.until(() => room.desk.talks().length === 1)).toBe(true)
  expect(await room.begin('listen')).toMatchObject({ ok: true })
  await room.world.run(3_000)
  expect(room.hears()).toBe(2)
})
