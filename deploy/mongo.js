// Makes three empty servers one replica set with an operator and the market's
// own user. mongosh runs it on the first member's address 127.0.0.1, where
// MongoDB lets a stranger begin as long as there are no users. It may run again
// at any time: what is done stays, and the market's password follows the
// setting.
const members = ["mongo-1:27017", "mongo-2:27017", "mongo-3:27017"];
const market = "secondring";
const { MONGO_ROOT_PASSWORD, MONGO_PASSWORD } = process.env;
const patience = 120; // seconds

/** Runs once a second until it returns something. */
function waitFor(what, look) {
  for (let i = 0; i < patience; i++) {
    const found = look();
    if (found) return found;
    sleep(1000);
  }
  throw new Error(`${what} did not come about within ${patience} s`);
}

function signIn(admin) {
  try {
    // mongosh waits for an answer that is looked at, not for one that is returned.
    const answer = admin.auth("root", MONGO_ROOT_PASSWORD);
    return answer.ok === 1;
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
        // The first leads where it can: the users are made through it.
        members: members.map((host, i) => ({ _id: i, host, priority: i === 0 ? 2 : 1 })),
      },
    });
  }
  waitFor("the lead of mongo-1", () => admin.hello().isWritablePrimary);
  admin.createUser({ user: "root", pwd: MONGO_ROOT_PASSWORD, roles: ["root"] });
}

// From here on it is whoever leads now.
const root = `root:${encodeURIComponent(MONGO_ROOT_PASSWORD)}`;
const set = new Mongo(`mongodb://${root}@${members.join(",")}/?replicaSet=rs0&authSource=admin&w=majority`);
const own = set.getDB(market);
if (own.getUser(market)) own.updateUser(market, { pwd: MONGO_PASSWORD });
else own.createUser({ user: market, pwd: MONGO_PASSWORD, roles: [{ role: "readWrite", db: market }] });
print(`The replica set stands, and ${market} may read and write its database.`);
