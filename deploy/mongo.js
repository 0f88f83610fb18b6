// This script initiates a replica set of three empty servers. It creates the user root for
// operators, and the user of SecondRing. mongosh runs it on 127.0.0.1 of the first member,
// because MongoDB allows access without a user there until the first user exists. If it
// runs again, it only sets SecondRing's password.
const members = ["mongo-1:27017", "mongo-2:27017", "mongo-3:27017"];
const market = "secondring";
const { MONGO_ROOT_PASSWORD, MONGO_PASSWORD } = process.env;
const timeout = 120; // seconds

/** Calls check once a second until it returns a true value, which it returns. */
function waitFor(what, check) {
  for (let i = 0; i < timeout; i++) {
    const result = check();
    if (result) return result;
    sleep(1000);
  }
  throw new Error(`${what} did not happen within ${timeout} s`);
}

function signIn(admin) {
  try {
    // mongosh waits for a result only if it is used before it is returned.
    const response = admin.auth("root", MONGO_ROOT_PASSWORD);
    return response.ok === 1;
  } catch {
    return false;
  }
}

const admin = new Mongo("mongodb://127.0.0.1:27017/?directConnection=true").getDB("admin");
if (!signIn(admin)) {
  if (!admin.hello().setName) {
    admin.runCommand({
      replSetInitiate: {
        _id: "rs0",
        // The first member should be the primary: the users are created on it.
        members: members.map((host, i) => ({ _id: i, host, priority: i === 0 ? 2 : 1 })),
      },
    });
  }
  waitFor("the election of mongo-1", () => admin.hello().isWritablePrimary);
  admin.createUser({ user: "root", pwd: MONGO_ROOT_PASSWORD, roles: ["root"] });
}

// From here on the connection is to the present primary, which may be another member.
const root = `root:${encodeURIComponent(MONGO_ROOT_PASSWORD)}`;
const set = new Mongo(`mongodb://${root}@${members.join(",")}/?replicaSet=rs0&authSource=admin&w=majority`);
const own = set.getDB(market);
if (own.getUser(market)) own.updateUser(market, { pwd: MONGO_PASSWORD });
else own.createUser({ user: market, pwd: MONGO_PASSWORD, roles: [{ role: "readWrite", db: market }] });
print(`The replica set is ready, and ${market} may read and write its database.`);
