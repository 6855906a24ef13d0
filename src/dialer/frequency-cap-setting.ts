import Type from 'typebox'

/** One entry of the setting `frequencyCaps` (D-14): so many calls in so many hours or days. */
export const frequencyCapSetting = Type.Object(
  {
    calls: Type.Integer({ minimum: 1, maximum: 100 }),
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_760, description: 'Instead of days.' })),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: 'Instead of hours.' })),
    per: Type.Optional(
      Type.Enum(['person', 'case', 'task'], {
        description: 'case: calls to the person about one case; task: calls of one call task. Default person.',
      }),
    ),
    window: Type.Optional(
      Type.Enum(['rolling', 'calendarDay', 'calendarWeek'], {
        description:
          'calendarDay: whole days where the callee lives, today included. calendarWeek: whole weeks, Monday first; ' +
          'days is 7 for one week. Default rolling.',
      }),
    ),
  },
  { additionalProperties: false },
)
