// Makes three empty servers one replica set with an operator and the market's
// own user. mongosh runs it on the first member's address 127.0.0.1, where
// MongoDB lets a stranger begin as long as there are no users. It may run again
// at any time: what is done stays, and the market's password follows the
// setting.
const members = ["mongo-1:27017", "mongo-2:27017", "mongo-3:27017"];
const market = "secondring";
const { MONGO_ROOT_PASSWORD, MONGO_PASSWORD } = process.env;
const patience = 120; // seconds

const ALREADY_INITIALIZED = 23;
const USER_EXISTS = 51003;

/** Runs once a second until it returns something. */
function waitFor(what, look) {
  for (let i = 0; i < patience; i++) {
    const found = look();
    if (found) return found;
    sleep(1000);
  }
  throw new Error(`${what} did not come about within ${patience} s`);
}

/** Leaves alone what is there already, known by its code. */
function once(code, act) {
  try {
    act();
  } catch (e) {
    if (e.code !== code) throw e;
  }
}

function signIn(admin) {
  try {
    return admin.auth("root", MONGO_ROOT_PASSWORD);
  } catch {
    return false;
  }
}

const admin = new Mongo("mongodb://127.0.0.1:27017/?directConnection=true").getDB("admin");
if (!signIn(admin)) {
  once(ALREADY_INITIALIZED, () =>
    admin.runCommand({
      replSetInitiate: {
        _id: "rs0",
        // The first leads where it can: the users are made through it.
        members: members.map((host, i) => ({ _id: i, host, priority: i === 0 ? 2 : 1 })),
      },
    }),
  );
  waitFor("the lead of mongo-1", () => admin.hello().isWritablePrimary);
  admin.createUser({ user: "root", pwd: MONGO_ROOT_PASSWORD, roles: ["root"] });
}

// From here on it is whoever leads now.
const root = `root:${encodeURIComponent(MONGO_ROOT_PASSWORD)}`;
const set = new Mongo(`mongodb://${root}@${members.join(",")}/?replicaSet=rs0&authSource=admin&w=majority`);
const own = set.getDB(market);
const user = { pwd: MONGO_PASSWORD, roles: [{ role: "readWrite", db: market }] };
once(USER_EXISTS, () => own.createUser({ user: market, ...user }));
own.updateUser(market, user);
print(`The replica set stands, and ${market} may read and write its database.`);
