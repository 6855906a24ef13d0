import { expect, test } from 'vitest'
import type { AgentName, TeamName } from '../../src/kernel/ids.ts'
import { AgentSessionWorld, staffOf } from './agent-session-world.ts'

const HELP = 'help' as TeamName
const SALES = 'sales' as TeamName
const anna = 'anna' as AgentName

/** Anna and Ben of `help`, two lines in flight, and then Anna is moved to `sales`. */
function moved() {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'], sales: ['cleo'] }))
  world.logIn('anna', 'ben', 'cleo').linesOut({ help: 2 })
  const before = world.distributor.staffing
  world.employ(staffOf({ help: ['ben'], sales: ['anna', 'cleo'] }))
  return { world, before }
}

const givenTo = (world: AgentSessionWorld) => world.heard().filter((line) => line.startsWith('agent.given'))

test('an agent who changes teams serves the lines of the former team until they are resolved', () => {
  const { world } = moved()
  world.answers('first', 'help').answers('second', 'help')
  expect(givenTo(world)).toEqual(['agent.given anna first', 'agent.given ben second'])
})

test('nothing is placed for that agent, for either team, before the change is done', () => {
  const { world, before } = moved()
  const idle = () => [HELP, SALES].map((team) => world.distributor.idleAgents(team))
  expect(idle()).toEqual([['ben'], ['cleo']])
  // New lines of the former team do not hold the agent back.
  world.linesOut({ help: 5 })
  expect(idle()).toEqual([['ben'], ['anna', 'cleo']])
  world.linesOut({ help: 5 }, [], before)
  expect(idle()).toEqual([['ben'], ['anna', 'cleo']])
})

test('a team whose only agent is still to come is staffed', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'], sales: ['cleo'] }))
  world.logIn('anna', 'ben').linesOut({ help: 2 })
  expect(world.distributor.isStaffed(SALES)).toBe(false)
  world.employ(staffOf({ help: ['ben'], sales: ['anna', 'cleo'] }))
  expect([HELP, SALES].map((team) => world.distributor.isStaffed(team))).toEqual([true, true])
  expect(world.distributor.idleAgents(SALES)).toEqual([])
})

test('a callee of the new team does not take the agent from a line of the former team', () => {
  const { world, before } = moved()
  world.answers('served', 'sales').answers('waits', 'sales')
  expect(givenTo(world)).toEqual(['agent.given cleo served'])
  world.linesOut({ help: 1 }, [], before)
  expect(givenTo(world)).toEqual([])
  world.linesOut({ help: 1 })
  expect(givenTo(world)).toEqual(['agent.given anna waits'])
})

test('an agent who is given a second team waits for the lines of the first one, too', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'], sales: ['cleo'] })).logIn('anna', 'cleo')
  world.linesOut({ help: 1 })
  const before = world.distributor.staffing
  world.employ(staffOf({ help: ['anna'], sales: ['anna', 'cleo'] })).linesOut({ help: 1 }, [], before)
  world.answers('served', 'sales').answers('waits', 'sales').answers('counted', 'help')
  expect(givenTo(world)).toEqual(['agent.given cleo served', 'agent.given anna counted'])
})

test('a change that is taken back changes nothing, and without lines a change is immediate', () => {
  const { world, before } = moved()
  world.employ(staffOf({ help: ['anna', 'ben'], sales: ['cleo'] })).linesOut({ help: 2 }, [], before)
  expect(world.distributor.idleAgents(HELP)).toEqual(['anna', 'ben'])
  world.linesOut({}).employ(staffOf({ help: ['ben'], sales: ['anna', 'cleo'] }))
  expect(world.distributor.idleAgents(SALES)).toEqual(['anna', 'cleo'])
})

test('an agent who leaves the configuration is logged out when the lines of the team are resolved', () => {
  const { world, before } = moved()
  world.employ(staffOf({ help: ['ben'], sales: ['cleo'] })).linesOut({ help: 2 }, [], before)
  expect([world.stateOf('anna'), world.distributor.isNeeded(anna)]).toEqual(['ready, asked logOut', true])
  world.linesOut({}).clock.run(0)
  expect(world.stateOf('anna')).toBe('loggedOut')
})

test('a team whose agents were all moved is staffed while one of them serves its lines', () => {
  const { world, before } = moved()
  world.employ(staffOf({ sales: ['anna', 'ben', 'cleo'] })).linesOut({ help: 1 }, [], before)
  expect([world.distributor.isStaffed(HELP), world.distributor.readyIn(HELP)]).toEqual([true, 0])
  world.answers('person', 'help').linesOut({})
  expect([givenTo(world), world.distributor.isStaffed(HELP)]).toEqual([['agent.given anna person'], false])
})
