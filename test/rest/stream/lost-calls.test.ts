/** "Lost a minute" on the board: of an engine on a simulated switch, as its boards tell it. */
import { expect, test } from 'vitest'
import { type AttemptId, type CampaignId, FIRST_CORPORATION } from '../../../src/kernel/ids.ts'
import type { BoardLine } from '../../../src/ports/live.ts'
import { BoardTopics } from '../../../src/rest/stream/board-topics.ts'
import { CALLER_ID, CAMPAIGN, CampaignWorld } from '../../worlds/campaign-world.ts'

const SECOND = (CAMPAIGN + 1) as CampaignId

/** Two campaigns of one team, and a board that hears both. `mayDial`: whether this node is the one that dials. */
async function open(ledger: object, mayDial = () => true) {
  const shown: { topics?: BoardTopics } = {}
  const world = new CampaignWorld({
    teams: { collections: ['anna'] },
    parts: ({ dialer }) => ({
      dialer: {
        ...dialer!,
        keepSupervised: async () => {},
        mayDial,
        agentNodes: { claim: async () => undefined, release: async () => {} },
        onBoard: (board) => {
          dialer!.onBoard?.(board)
          // As the live port takes it.
          const what = JSON.parse(JSON.stringify(board)) as BoardLine['what']
          shown.topics?.line({ node: 'one', atMs: world.clock.nowMs(), what })
        },
      },
    }),
  })
  for (const campaign of [CAMPAIGN, SECOND]) await world.campaign({ ledgers: [ledger] }, campaign)
  const openBoard = () => {
    const { agentDesktop, supervisions } = world.engine
    const live = { kind: 'alone', publishBoard: () => {} } as const
    const options = { agentDesktop: agentDesktop!, supervision: supervisions!, live, node: 'one', clock: world.clock }
    shown.topics ??= new BoardTopics(options)
  }
  await world.start()
  openBoard()
  const topic = shown.topics!.open('board', { corporations: [FIRST_CORPORATION] })!
  const rows = (wanted: string) => topic.rows().flatMap(([kind, , fields]) => (kind === wanted ? [fields] : []))
  /** The calls that were lost in the last 30 minutes. */
  const lost = () => {
    shown.topics!.refresh()
    topic.flush()
    const [floor] = rows('floor')
    return (floor!['lost'] as number[]).reduce((sum, count) => sum + count)
  }
  let attempt = 1_000
  /** A person answers, and no agent is there: as the engine counts it when it begins to say sorry. */
  const lose = async (campaign: CampaignId = CAMPAIGN) => {
    const run = world.engine.dialer!.campaigns.get(campaign)!
    const call = { attempt: attempt++ as AttemptId, answeredAtMs: world.clock.nowMs(), callerId: CALLER_ID }
    run.abandoned(call)
    await world.run(20_000)
    run.resolved(call, false, true, world.clock.nowMs())
    await world.run(20_000)
  }
  /** The board of the campaign, as another node tells it. */
  const other = (change: object) => {
    const what = { ...world.boards.get(CAMPAIGN), ...change } as BoardLine['what']
    shown.topics!.line({ node: 'two', atMs: world.clock.nowMs(), what })
  }
  return { world, lost, lose, other, campaigns: () => rows('campaign').map(({ name }) => name) }
}

test('a call counts once, although two campaigns share the ledger', async () => {
  const { world, lost, lose } = await open({ maxAbandonRate: 0.03, window: '24hours', scope: 'client' })
  await world.run(20_000)
  expect(lost()).toBe(0)
  await lose()
  expect(lost()).toBe(1)
  await lose(SECOND)
  expect(lost()).toBe(2)
})

test('a ledger that is changed, and an engine that begins anew, add no losses', async () => {
  const { world, lost, lose } = await open({ maxAbandonRate: 0.03, window: '24hours' })
  await world.run(20_000)
  for (const campaign of [CAMPAIGN, SECOND, SECOND, SECOND]) await lose(campaign)
  expect(lost()).toBe(4)
  await world.campaign({ ledgers: [{ maxAbandonRate: 0.03, window: '24hours', scope: 'client' }] })
  expect(await world.until(() => world.boards.get(CAMPAIGN)?.ledgers[0]?.abandoned === 4, 120_000)).toBe(true)
  expect(lost()).toBe(4)
  await world.crash()
  await world.start()
  await world.run(20_000)
  expect(lost()).toBe(4)
})

test('of two nodes the one that dials shows the campaigns, and each has losses of its own', async () => {
  let mayDial = true
  const { world, lost, lose, other, campaigns } = await open({ maxAbandonRate: 0.03, window: '24hours' }, () => mayDial)
  await world.run(20_000)
  for (const _ of [1, 2, 3]) await lose()
  expect([lost(), campaigns()]).toEqual([3, ['Campaign 7', 'Campaign 8']])
  mayDial = false
  await world.run(2_000)
  other({ lost: 0, name: 'of the other node' })
  await world.run(50_000)
  expect([lost(), campaigns()]).toEqual([3, ['of the other node', 'Campaign 8']])
  other({ lost: 1, name: 'of the other node' })
  await world.run(20_000)
  // Nobody tells of the second campaign.
  expect([lost(), campaigns()]).toEqual([4, ['of the other node']])
  mayDial = true
  await world.run(20_000)
  expect([lost(), campaigns()]).toEqual([4, ['Campaign 7', 'Campaign 8']])
})
