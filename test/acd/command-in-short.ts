import type { DistributorCommand } from '../../src/acd/distributor.ts'

/** `agent.given anna person`, `seat.changed anna talking`: a command in a line. */
export function inShort(command: DistributorCommand): string {
  const agent = 'agent' in command ? command.agent : ''
  const about =
    command.type === 'seat.changed'
      ? command.status.state
      : 'person' in command
        ? command.person
        : 'party' in command
          ? command.party
          : 'call' in command
            ? command.call
            : ''
  return [command.type, agent, about].filter((word) => word !== '').join(' ')
}
