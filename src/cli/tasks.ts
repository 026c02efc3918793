/** Reading the example domain's answers: tasks, by id and title. */
import * as z from 'zod';
import type { Agent } from './agent.js';

const task = z.looseObject({ id: z.string(), title: z.string() });

export async function createTask(agent: Agent, title: string): Promise<string> {
  return z.looseObject({ task }).parse(await agent.need('create_task', { title })).task.id;
}

export async function taskTitles(agent: Agent): Promise<ReadonlyMap<string, string>> {
  const { tasks } = z
    .looseObject({ tasks: z.array(task) })
    .parse(await agent.need('list_tasks', {}));
  return new Map(tasks.map(({ id, title }) => [id, title]));
}

/** The task of that title, made if there is none: the one nobody may touch. */
export async function bystander(agent: Agent, title: string): Promise<string> {
  const found = [...(await taskTitles(agent))].find(([, one]) => one === title);
  return found?.[0] ?? createTask(agent, title);
}
