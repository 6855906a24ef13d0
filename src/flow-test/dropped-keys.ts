import type { Prompt, Reprompts, Step } from '../flow/model/flow.ts'
import type { Path, YamlSource } from '../kernel/yaml-source.ts'

interface Dropped {
  readonly what: string
  readonly path: Path
  readonly step: Step
}

/** The step without one of the keys that its author wrote, for each of them. */
export function droppedFrom(step: Step, source: YamlSource): readonly Dropped[] {
  const base = ['steps', step.name]
  const dropped: Dropped[] = []
  const drop = (path: Path, changed: Step, name = String(path.at(-1))) => {
    dropped.push({ what: `${step.name} without ${name}`, path: [...base, ...path], step: changed })
  }
  if (step.limit !== undefined) drop(['limit'], { ...step, limit: undefined })
  if (step.mark !== undefined) drop(['mark'], { ...step, mark: undefined })
  if (step.bargeInByVoice) {
    const { bargeInByVoice: _, ...without } = step
    drop(['bargeInByVoice'], without)
  }
  // Defaults are not written, and so nobody can forget them.
  const isWritten = (path: Path) => source.writtenAt([...base, ...path]) !== undefined
  for (const [path, spec, name] of droppedSpecs(step, isWritten)) {
    drop([step.kind, ...path], { ...step, spec } as Step, name)
  }
  return dropped
}

/** The last key of the path is its name, if it has no other. */
type DroppedSpec = readonly [path: Path, spec: Step['spec'], name?: string]

function droppedSpecs(step: Step, isWritten: (path: Path) => boolean): readonly DroppedSpec[] {
  switch (step.kind) {
    case 'gather': {
      const { spec } = step
      const optional = (['confirm', 'pattern'] as const).filter((key) => spec[key] !== undefined)
      return [...optional.map((key): DroppedSpec => [[key], { ...spec, [key]: undefined }]), ...tries(step, isWritten)]
    }
    case 'menu':
      return tries(step, isWritten)
    case 'http':
      return droppedFromHttp(step, isWritten)
    case 'branch':
      return step.spec.cases.map((_, index) => [
        ['cases', index],
        { ...step.spec, cases: step.spec.cases.toSpliced(index, 1) },
        `case ${index + 1}`,
      ])
    case 'set':
      return Object.keys(step.spec.variables).map((name) => [[name], { variables: without(step.spec.variables, name) }])
    case 'queue':
      return droppedFromQueue(step, isWritten)
    case 'wait':
      return step.spec.hold ? [[['hold'], { ...step.spec, hold: undefined }]] : []
    case 'record': {
      const { spec } = step
      const optional = (['consent', 'team'] as const).filter((key) => spec[key] !== undefined)
      return optional.map((key): DroppedSpec => [[key], { ...spec, [key]: undefined }])
    }
    case 'transfer': {
      const { spec } = step
      const { to } = spec
      const dropped: DroppedSpec[] = spec.callerId ? [[['callerId'], { ...spec, callerId: undefined }]] : []
      if (!('map' in to)) return dropped
      const mapped = Object.keys(to.map).map((value): DroppedSpec => {
        return [['to', 'map', value], { ...spec, to: { ...to, map: without(to.map, value) } }, `to.map: ${value}`]
      })
      return [...dropped, ...mapped]
    }
    case 'subflow':
      return Object.keys(step.spec.with).map((name) => [
        ['with', name],
        { ...step.spec, with: without(step.spec.with, name) },
      ])
    case 'hangup': {
      const { spec } = step
      const written = (['say', 'outcome'] as const).filter((key) => spec[key] !== undefined)
      return written.map((key) => [[key], { ...spec, [key]: undefined }])
    }
    default:
      return []
  }
}

function tries(step: Extract<Step, { kind: 'gather' | 'menu' }>, isWritten: (path: Path) => boolean): DroppedSpec[] {
  const { spec } = step
  const reprompts = (['noInput', 'invalid'] as const).filter((reason) => spec.reprompt[reason].length > 0)
  const dropped = reprompts.map((reason): DroppedSpec => {
    const reprompt: Reprompts = { ...spec.reprompt, [reason]: [] satisfies Prompt[] }
    return [['reprompt', reason], { ...spec, reprompt } as Step['spec'], `reprompt: ${reason}`]
  })
  // One try more or less is the mistake here: without the key the default may be the same.
  if (isWritten([step.kind, 'tries'])) dropped.push([['tries'], { ...spec, tries: spec.tries + 1 } as Step['spec']])
  return dropped
}

function droppedFromHttp(
  { spec }: Extract<Step, { kind: 'http' }>,
  isWritten: (path: Path) => boolean,
): readonly DroppedSpec[] {
  const { required, match, filler, retry } = spec
  // A member that must repeat a value must be there, required or not.
  const alone = [...required.entries()].filter(([, member]) => !Object.hasOwn(match, member))
  const members = alone.map(([index, member]): DroppedSpec => {
    const rest = required.filter((other) => other !== member)
    return [['expect', 'required', index], { ...spec, required: rest }, `expect.required: ${member}`]
  })
  const matches = Object.keys(match).map((member): DroppedSpec => {
    const rest = { ...spec, match: without(match, member), required: [...required, member] }
    return [['expect', 'match', member], rest, `expect.match: ${member}`]
  })
  return [
    ...members,
    ...matches,
    ...(filler ? [[['filler'], { ...spec, filler: undefined }] as DroppedSpec] : []),
    ...(retry > 0 && isWritten(['http', 'retry']) ? [[['retry'], { ...spec, retry: 0 }] as DroppedSpec] : []),
  ]
}

function droppedFromQueue(
  { spec }: Extract<Step, { kind: 'queue' }>,
  isWritten: (path: Path) => boolean,
): readonly DroppedSpec[] {
  const { team } = spec
  const keys = ['popup', 'whisper', 'recording', 'recordingConsent'] as const
  const optional = keys.filter((key) => spec[key] !== undefined)
  const dropped = optional.map((key): DroppedSpec => [[key], { ...spec, [key]: undefined }])
  if (isWritten(['queue', 'priority']) && spec.priority !== 0) dropped.push([['priority'], { ...spec, priority: 0 }])
  if (spec.skills.length > 0) dropped.push([['skills'], { ...spec, skills: [] }])
  if (spec.announcePosition) dropped.push([['announce', 'position'], { ...spec, announcePosition: false }])
  if (spec.announceWait) dropped.push([['announce', 'wait'], { ...spec, announceWait: false }])
  if (spec.callback) dropped.push([['callback'], { ...spec, callback: undefined }])
  if (typeof team === 'string') return dropped
  const mapped = Object.keys(team.map).map((value): DroppedSpec => {
    return [['team', 'map', value], { ...spec, team: { ...team, map: without(team.map, value) } }, `team.map: ${value}`]
  })
  return [...dropped, ...mapped]
}

function without<T>(map: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => key !== name))
}
