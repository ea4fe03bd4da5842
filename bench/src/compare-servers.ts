import { type Load, load } from './load.js'
import { type Measurement, spread } from './measure.js'
import type { ServerProcess } from './server-process.js'

/** The same requests to each server, in rounds A B, B A, A B, ... after one that does not count. */
export async function compareServers(
  servers: readonly ServerProcess[],
  job: Omit<Load, 'port'>,
  rounds: number,
): Promise<Measurement[]> {
  const { requests } = job
  const times = new Map(servers.map((server) => [server, { wallUs: [] as number[], cpuUs: [] as number[] }]))
  for (let round = 0; round <= rounds; round++) {
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const cpuStart = await server.cpuMs()
      const { wallMs } = await load({ ...job, port: server.port })
      const cpuMs = (await server.cpuMs()) - cpuStart
      if (round === 0) continue
      times.get(server)?.wallUs.push((wallMs * 1000) / requests)
      times.get(server)?.cpuUs.push((cpuMs * 1000) / requests)
    }
  }
  return [...times].map(([{ name }, { wallUs, cpuUs }]) => ({
    name,
    runsPerRound: requests,
    wallUs: spread(wallUs),
    cpuUs: spread(cpuUs),
  }))
}
