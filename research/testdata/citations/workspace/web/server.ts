import { createServer } from "node:http";

const PORT = Number(process.env.PORT ?? 8080);
const LIMIT = 1_000_000; // bytes of a request body

export interface Session {
  id: string;
  user: string | null;
  expires: number;
}

const sessions = new Map<string, Session>();

function authorize(session: Session | undefined): boolean {
  if (!session) {
    return false;
  }
  if (session.expires < Date.now()) {
    sessions.delete(session.id);
    return false;
  }
  return session.user !== null;
}

createServer((request, response) => {
  const id = request.headers["x-session"] as string;
  if (!authorize(sessions.get(id))) {
    response.writeHead(401);
    response.end();
    return;
  }
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > LIMIT) {
      response.writeHead(413);
      response.end();
      request.destroy();
    }
  });
  request.on("end", () => response.end("ok"));
}).listen(PORT);
