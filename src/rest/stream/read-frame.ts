/** The frames that clients send. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

const SubFrameIn = Type.Object({
  t: Type.Literal('sub'),
  id: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
  topic: Type.String({ maxLength: 64 }),
  args: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), { maxProperties: 8 })),
  since: Type.Optional(Type.Object({ epoch: Type.String({ maxLength: 64 }), seq: Type.Integer({ minimum: 0 }) })),
})

const FrameIn = Type.Union([
  SubFrameIn,
  Type.Object({ t: Type.Literal('unsub'), id: Type.Integer() }),
  Type.Object({ t: Type.Literal('ack'), evId: Type.String({ maxLength: 300 }) }),
  Type.Object({ t: Type.Literal('ping') }),
  Type.Object({ t: Type.Literal('here') }),
])

/** Asks for a topic; `since` where the client comes back. */
export type SubFrame = Static<typeof SubFrameIn>

const frames = Compile(FrameIn)

/** Undefined: it is no frame that a client sends. */
export function readFrame(text: string): Static<typeof FrameIn> | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return frames.Check(value) ? value : undefined
}
