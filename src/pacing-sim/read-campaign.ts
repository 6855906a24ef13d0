/** Reads one campaign of a scenario file of valid shape. Absent values are those of the reference cell. */
import type { Path } from '../kernel/yaml-source.ts'
import { REFERENCE_CAMPAIGN } from './reference.ts'
import type { CampaignScenario, FailureModel, HitModel, LossModel, WrapUpModel } from './scenario.ts'
import type { DayReading } from './scenario-reading.ts'
import type { CampaignFile } from './scenario-schema.ts'

const BASE = REFERENCE_CAMPAIGN

/** Never throws; problems go to `reading`. */
export function readCampaign(reading: DayReading, name: string, raw: CampaignFile, path: Path): CampaignScenario {
  const { cap, postDial, ring, ringLimit, giveUpAfter, failures, talk } = raw
  return {
    name,
    capBasisPoints: cap === undefined ? BASE.capBasisPoints : Math.round(reading.share(cap) * 10_000),
    carriedPerAgent: raw.carriedPerAgent ?? BASE.carriedPerAgent,
    hit: hitOf(reading, raw, path),
    postDialMs: postDial === undefined ? BASE.postDialMs : reading.lengthMs(postDial),
    ring: ring ? reading.distribution(ring, [...path, 'ring']) : BASE.ring,
    ringLimitMs: ringLimit === undefined ? BASE.ringLimitMs : reading.lengthMs(ringLimit),
    failures: failures ? failuresOf(reading, failures, [...path, 'failures']) : BASE.failures,
    talk: talk ? reading.distribution(talk, [...path, 'talk']) : BASE.talk,
    wrapUp: wrapUpOf(reading, raw, path),
    loss: lossOf(reading, raw, path),
    ...(raw.detection && { detection: detectionOf(reading, raw.detection, [...path, 'detection']) }),
    ...(giveUpAfter !== undefined && { giveUpAfterMs: reading.lengthMs(giveUpAfter) }),
  }
}

function hitOf(reading: DayReading, { hitRate, hitSine, hitSpells, lists }: CampaignFile, path: Path): HitModel {
  const first = { fromMs: 0, rate: hitRate === undefined ? BASE.hit.levels[0]!.rate : reading.share(hitRate) }
  const later = (lists ?? []).map(({ from, hitRate: rate }, place) => ({
    fromMs: reading.instant(from, [...path, 'lists', place, 'from']),
    rate: reading.share(rate),
  }))
  const spells = (hitSpells ?? []).map(({ from, to, factor }, place) => {
    const at = [...path, 'hitSpells', place]
    const [fromMs, toMs] = [reading.instant(from, [...at, 'from']), reading.instant(to, [...at, 'to'])]
    if (toMs <= fromMs)
      reading.complain([...at, 'to'], `it ends at ${to}, which is not after its begin; change one of them`)
    return { fromMs, toMs, factor: reading.share(factor) }
  })
  return {
    levels: [first, ...later.sort((a, b) => a.fromMs - b.fromMs)],
    sineShare: hitSine === undefined ? 0 : reading.share(hitSine),
    spells,
  }
}

function failuresOf(reading: DayReading, raw: NonNullable<CampaignFile['failures']>, path: Path): FailureModel[] {
  const failures = raw.map(({ share, machine = false, ...distribution }, place) => ({
    share: reading.share(share),
    after: reading.plainDistribution(distribution, [...path, place]),
    isMachine: machine,
  }))
  reading.sharesAbove0(failures, path)
  return failures
}

function wrapUpOf(reading: DayReading, { wrapUp, timedWrapUp }: CampaignFile, path: Path): WrapUpModel {
  if (wrapUp && timedWrapUp)
    reading.complain([...path, 'timedWrapUp'], 'wrap-up is timed or ended by the agent; remove wrapUp or timedWrapUp')
  if (timedWrapUp) return { kind: 'timed', lengthMs: reading.lengthMs(timedWrapUp) }
  return wrapUp ? { kind: 'byHand', distribution: reading.distribution(wrapUp, [...path, 'wrapUp']) } : BASE.wrapUp
}

/** Waiting callees hang up by `patience`, or are dropped after `lossAfter`, as the file says. The legal wait stays. */
function lossOf(reading: DayReading, { lossAfter, patience }: CampaignFile, path: Path): LossModel {
  const afterMs = lossAfter ? reading.lengthMs(lossAfter) : 2_000
  if (!patience) return { kind: 'dropped', afterMs }
  return { kind: 'patience', distribution: reading.distribution(patience, [...path, 'patience']), waitMs: afterMs }
}

type DetectionFile = NonNullable<CampaignFile['detection']>

function detectionOf(reading: DayReading, raw: DetectionFile, path: Path) {
  return {
    falsePositive: reading.share(raw.falsePositive),
    falseNegative: reading.share(raw.falseNegative),
    takes: reading.distribution(raw.takes, [...path, 'takes']),
    machineTalk: reading.distribution(raw.machineTalk, [...path, 'machineTalk']),
  }
}
