/** What a campaign says of machine detection (campaigns-81). */
import Type from 'typebox'

const MAX_ERROR_PERCENT =
  'It acts while agents prove that it takes no more persons for machines. Absent: it only listens. 100: always acts.'

/** As callers of the API write it, and as it is stored. */
export const machineDetectionSetting = Type.Object(
  {
    enabled: Type.Boolean(),
    action: Type.Optional(Type.Enum(['hangup', 'leaveMessage'])),
    maxErrorPercent: Type.Optional(Type.Number({ minimum: 0.1, maximum: 100, description: MAX_ERROR_PERCENT })),
  },
  { additionalProperties: false },
)
