/** Topic `me`: what an agent's desk shows, for each agent of this node. Fed by the notifications of the engine. */
import type { AtMs, Clock } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentDesktop, AgentNotification, AgentStatus } from '../../ports/agent-desktop.ts'
import { notificationOut, STATUS } from '../agents/agent-schema.ts'
import { instantText } from '../http/list-params.ts'
import { type Fields, StreamTopic } from './stream-topic.ts'

interface AgentTopicsOptions {
  readonly agentDesktop: Pick<AgentDesktop, 'attach'>
  readonly clock: Clock
  /** Whether the agent's phone is the browser; absent: nobody's is. */
  readonly isBrowser?: ((agent: AgentName) => boolean) | undefined
}

interface Desk {
  readonly topic: StreamTopic
  readers: number
  detach: (() => void) | undefined
  call: unknown
  /** The latest call: its person is still on the screen when it is over. */
  shown: Fields
  offer: unknown
  /** The call that the wrap-up is about, and its result. */
  ended: Fields | undefined
  status: AgentStatus | undefined
  /** When the latest consultation ended, or a little later: no two in one instant. */
  consultEndedAtMs: AtMs
  /** The last state of the present one. */
  consult?: string | undefined
}

/** Topics of agents. There are at most as many as agents have been logged in. */
export class AgentTopics {
  readonly #options: AgentTopicsOptions
  readonly #desks = new Map<AgentName, Desk>()

  constructor(options: AgentTopicsOptions) {
    this.#options = options
  }

  /** A page of the agent reads it: while one does, the agent has a screen. */
  open(agent: AgentName): { readonly topic: StreamTopic; release(): void } {
    const desk = this.#desk(agent)
    desk.readers++
    // The engine repeats the state of the agent; what happens once reaches this topic by `notified` alone.
    desk.detach ??= this.#options.agentDesktop.attach(agent, (notification) => {
      if (isState(notification)) this.#show(desk, notification)
    })
    const release = () => {
      if (--desk.readers > 0) return
      desk.detach?.()
      desk.detach = undefined
    }
    return { topic: desk.topic, release }
  }

  notified(agent: AgentName, notification: AgentNotification): void {
    this.#show(this.#desk(agent), notification)
  }

  close(): void {
    for (const { topic, detach } of this.#desks.values()) {
      detach?.()
      topic.close()
    }
  }

  /** What one notification changes is one number. */
  #show(desk: Desk, notification: AgentNotification): void {
    if (notification.type === 'status') this.#showAgent(desk.topic, notification.status)
    change(desk, notification, this.#options.clock.nowMs())
    desk.topic.flush()
  }

  #showAgent(topic: StreamTopic, status: AgentStatus): void {
    const browserPhone = this.#options.isBrowser?.(status.agent) ?? false
    topic.set('agent', status.agent, Object.assign({ browserPhone }, STATUS.show(status)) as Fields)
  }

  #desk(agent: AgentName): Desk {
    const known = this.#desks.get(agent)
    if (known) return known
    const topic = new StreamTopic({ clock: this.#options.clock })
    const state = { readers: 0, detach: undefined, call: undefined, shown: {}, offer: undefined }
    const desk: Desk = { topic, ...state, ended: undefined, status: undefined, consultEndedAtMs: 0 }
    const status: AgentStatus = { agent, state: 'loggedOut', sinceAtMs: this.#options.clock.nowMs() }
    this.#showAgent(topic, status)
    topic.flush()
    this.#desks.set(agent, desk)
    return desk
  }
}

function isState({ type }: AgentNotification): boolean {
  return type === 'status' || type === 'call' || type === 'preview' || type === 'sound' || type === 'consult'
}

function change(desk: Desk, notification: AgentNotification, nowMs: AtMs): void {
  const { topic } = desk
  const { type: _, ...out } = notificationOut(notification)
  switch (notification.type) {
    case 'status':
      return showStatus(desk, notification.status)
    // For a phone in the browser: which INVITE is the engine's.
    case 'leg':
    case 'legEnded':
      return topic.emit(`${notification.type}:${notification.leg}`, notification.type, out)
    case 'call': {
      withdrawOffer(desk)
      endCall(desk)
      desk.call = out['callId']
      const { eactId = null, callTask = null, queueCode = null, typedCode = null } = out
      desk.shown = Object.assign({}, out, { eactId, callTask, queueCode, typedCode })
      return topic.set('call', notification.call.call, desk.shown)
    }
    case 'callEnded':
      if (desk.call === notification.call) endCall(desk)
      desk.ended = Object.assign({}, desk.shown['callId'] === out['callId'] && desk.shown, out)
      return showWrapUp(desk)
    case 'notConnected':
      return tell(topic, 'notConnected', notification.call, out)
    case 'preview':
      withdrawOffer(desk)
      desk.offer = notification.task.task
      return topic.set('preview', notification.task.task, out)
    case 'sound':
      return topic.set('sound', 'mine', out)
    case 'consult': {
      const { state, why, with: name } = notification
      const before = desk.consult
      desk.consult = state ?? undefined
      if (state !== null) return topic.set('consult', 'mine', out)
      topic.remove('consult', 'mine')
      // An end is told once, however often the engine names it.
      if (why !== undefined && before !== undefined) {
        // Of three who talked, the party is still there and hears no music.
        const about = before === 'all' ? 'conferenceEnded' : 'consultEnded'
        // A count would begin anew with the node, and a page takes each id once.
        desk.consultEndedAtMs = Math.max(nowMs, desk.consultEndedAtMs + 1)
        tell(topic, about, `${name}:${desk.consultEndedAtMs}`, out)
      }
      return
    }
    case 'popup':
      return topic.emit(`popup:${notification.call}:${notification.reason}`, 'popup', out)
    case 'taskEnded':
      if (desk.offer === notification.task) withdrawOffer(desk)
      return tell(topic, 'taskEnded', notification.task, out)
    case 'supervisor': {
      const { supervisor, mode } = notification
      return mode === null ? topic.remove('supervisor', supervisor) : topic.set('supervisor', supervisor, out)
    }
    case 'callbackRefused':
      return tell(topic, 'callbackRefused', notification.task, out)
  }
}

/** A message on the desk: once for what `of` names. */
function tell(topic: StreamTopic, about: string, of: string | number, out: Fields): void {
  topic.emit(`${about}:${of}`, 'message', Object.assign({ about }, out))
}

function showStatus(desk: Desk, status: AgentStatus): void {
  desk.status = status
  if (status.state !== 'reserved') withdrawOffer(desk)
  if (status.state === 'ready' || status.state === 'paused' || status.state === 'loggedOut') endCall(desk)
  showWrapUp(desk)
}

/** The engine tells the end of the call and the state in either order. */
function showWrapUp({ topic, status, ended }: Desk): void {
  if (status?.state !== 'wrapUp') return status && topic.remove('wrap', status.agent)
  const limitTs = instantText(status.untilAtMs)
  topic.set('wrap', status.agent, Object.assign({ callId: null, resultName: null }, ended, { limitTs }))
}

function endCall(desk: Desk): void {
  if (desk.call !== undefined) desk.topic.remove('call', desk.call as string)
  desk.call = undefined
}

function withdrawOffer(desk: Desk): void {
  if (desk.offer !== undefined) desk.topic.remove('preview', desk.offer as number)
  desk.offer = undefined
}
