#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Writes the machines of bench-joints: an arm of seven axes, a quadruped of 12 joints, a hand of 24
# and a humanoid of 29, standing and lying, with masses, friction, limits and servos of their kind;
# and the same trees without friction, limits, servos and contacts.
#   machines.py FOLDER
import os, sys

HEAD="""name: %s
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1 ms}
duration: 1 s
"""
def arm(friction=True):
    s=HEAD%"arm of seven axes"
    s+="bodies:\n  arm:\n    type: tree\n    joints:\n"
    L=[("[0, 0, 1]",0,3.0),("[0, 1, 0]",0.33,3.5),("[0, 0, 1]",0.2,2.7),("[0, 1, 0]",0.2,2.7),("[0, 0, 1]",0.2,1.7),("[0, 1, 0]",0.2,1.6),("[0, 0, 1]",0.1,0.5)]
    F=[6,6,5,5,2,2,1]
    p=None
    for i,(a,o,m) in enumerate(L):
        x="" if not friction else ", friction: {law: coulomb, level: %g, viscous: 0.1}, limits: [-170 deg, 170 deg]"%(F[i]*0.4)
        s+="      j%d: {type: revolute, %saxis: %s, offset: [0, 0, %g], mass: %g, center: [0.01, 0.02, 0.1], inertia: [%g, %g, %g], armature: 0.1, position: %g%s}\n"%(i+1,"" if p is None else "parent: %s, "%p,a,o,m,0.01*m,0.01*m,0.004*m,0.3+0.1*i,x)
        p="j%d"%(i+1)
    return s
def quad(friction=True, contacts=True):
    s=HEAD%"quadruped"
    s+="bodies:\n  dog:\n    type: tree\n    joints:\n"
    s+="      trunk: {type: free, mass: 5.2, inertia: [0.017, 0.057, 0.064], position: [0, 0, 0.28, 1, 0, 0, 0]}\n"
    extra=lambda f,lo,hi,q: "" if not friction else ", friction: {law: coulomb, level: %g}, damping: 0.01, limits: [%g, %g], servo: {reference: %g, kp: 60, kd: 1, limit: 33}"%(f,lo,hi,q)
    feet=[]
    for n,x,y in (("fl",1,1),("fr",1,-1),("rl",-1,1),("rr",-1,-1)):
        h,t,c=0.0,0.9,-1.8
        s+="      %s_hip: {type: revolute, parent: trunk, axis: [1, 0, 0], offset: [%g, %g, 0], mass: 0.68, inertia: [5e-4, 8e-4, 5e-4], armature: 0.01, position: %g%s}\n"%(n,0.188*x,0.047*y,h,extra(0.2,-0.86,0.86,h))
        s+="      %s_thigh: {type: revolute, parent: %s_hip, axis: [0, 1, 0], offset: [0, %g, 0], mass: 1.0, center: [0, 0, -0.03], inertia: [5e-3, 5e-3, 1e-3], armature: 0.01, position: %g%s}\n"%(n,n,0.08*y,t,extra(0.2,-0.69,4.5,t))
        s+="      %s_calf: {type: revolute, parent: %s_thigh, axis: [0, 1, 0], offset: [0, 0, -0.213], mass: 0.22, center: [0, 0, -0.1], inertia: [3e-3, 3e-3, 4e-5], armature: 0.01, position: %g%s, shape: {type: sphere, radius: 0.02}, shape_center: [0, 0, -0.213]}\n"%(n,n,c,extra(0.2,-2.8,-0.88,c))
        feet.append(n)
    if contacts:
        s+="forces:\n"
        for n in feet:
            s+="  - {name: foot_%s, on: dog.%s_calf, type: contact, plane: {normal: [0, 0, 1]}, friction: 0.8}\n"%(n,n)
    return s
def hand(friction=True):
    s=HEAD%"hand"
    s+="bodies:\n  hand:\n    type: tree\n    joints:\n"
    ex=lambda f: "" if not friction else ", friction: {law: coulomb, level: %g}, damping: 0.05, limits: [-0.4, 1.6], servo: {reference: 0.3, kp: 1, limit: 2}"%f
    s+="      w1: {type: revolute, axis: [0, 1, 0], mass: 0.1, inertia: [1e-3, 1e-3, 1e-3], armature: 0.005%s}\n"%ex(0.1)
    s+="      w2: {type: revolute, parent: w1, axis: [1, 0, 0], offset: [0, 0, 0.03], mass: 0.3, center: [0, 0, 0.03], inertia: [1e-3, 1e-3, 5e-4], armature: 0.005%s}\n"%ex(0.1)
    n=0
    for f,cnt in (("ff",4),("mf",4),("rf",4),("lf",5),("th",5)):
        p="w2"
        for k in range(cnt):
            s+="      %s%d: {type: revolute, parent: %s, axis: %s, offset: [%g, 0, %g], mass: 0.02, center: [0, 0, 0.015], inertia: [1e-5, 1e-5, 2e-6], armature: 2e-4, position: 0.1%s}\n"%(f,k,p,"[0, 1, 0]" if k==0 else "[1, 0, 0]",0.02*(n-2) if k==0 else 0,0.08 if k==0 else 0.03,ex(0.01))
            p="%s%d"%(f,k); 
        n+=1
    return s
def human(friction=True,lying=False):
    s=HEAD%"humanoid"
    s+="bodies:\n  g:\n    type: tree\n    joints:\n"
    z=0.12 if lying else 0.79
    q="[%g, 0, %g, %s]"%(0,z,"0.70710678118654757, 0, -0.70710678118654757, 0" if lying else "1, 0, 0, 0")
    kp=0 if lying else 100
    ex=lambda f,q: "" if not friction else ", friction: {law: coulomb, level: %g}, damping: 0.05, limits: [-2.6, 2.6]%s"%(f,"" if lying else ", servo: {reference: %g, kp: 300, kd: 8, limit: 150}"%q)
    s+="      pelvis: {type: free, mass: 5, inertia: [0.02, 0.02, 0.02], position: %s%s}\n"%(q,", shape: {type: sphere, radius: 0.1}")
    J=lambda n,p,a,o,m,c,i,pos,f,sh="": "      %s: {type: revolute, parent: %s, axis: %s, offset: %s, mass: %g, center: %s, inertia: [%g, %g, %g], armature: 0.01, position: %g%s%s}\n"%(n,p,a,o,m,c,i,i,i*0.6,pos,ex(f,pos),sh)
    con=["pelvis"]
    for n,y in (("l",1),("r",-1)):
        s+=J(n+"_hp","pelvis","[0, 1, 0]","[0, %g, -0.1]"%(0.07*y),1.35,"[0, 0, -0.02]",0.002,-0.1,0.3)
        s+=J(n+"_hr",n+"_hp","[1, 0, 0]","[0, 0, -0.03]",1.5,"[0, 0, -0.05]",0.003,0,0.3)
        s+=J(n+"_hy",n+"_hr","[0, 0, 1]","[0, 0, -0.08]",1.7,"[0, 0, -0.06]",0.005,0,0.3)
        s+=J(n+"_kn",n+"_hy","[0, 1, 0]","[0, 0, -0.18]",1.9,"[0, 0, -0.12]",0.011,0.2,0.3, ", shape: {type: sphere, radius: 0.06}"); con.append(n+"_kn")
        s+=J(n+"_ap",n+"_kn","[0, 1, 0]","[0, 0, -0.3]",0.07,"[0, 0, 0]",0.0002,-0.1,0.3)
        s+=J(n+"_ar",n+"_ap","[1, 0, 0]","[0, 0, -0.02]",0.6,"[0.03, 0, -0.02]",0.002,0,0.3, ", shape: {type: box, size: [0.2, 0.06, 0.03]}, shape_center: [0.03, 0, -0.03]"); con.append(n+"_ar")
    s+=J("wy","pelvis","[0, 0, 1]","[0, 0, 0.02]",0.2,"[0, 0, 0]",0.0002,0,0.3)
    s+=J("wr","wy","[1, 0, 0]","[0, 0, 0.03]",0.1,"[0, 0, 0]",0.0002,0,0.3)
    s+=J("wp","wr","[0, 1, 0]","[0, 0, 0.02]",8,"[0, 0, 0.15]",0.1,0,0.3, ", shape: {type: sphere, radius: 0.12}, shape_center: [0, 0, 0.25]"); con.append("wp")
    for n,y in (("l",1),("r",-1)):
        s+=J(n+"_sp","wp","[0, 1, 0]","[0, %g, 0.24]"%(0.1*y),0.7,"[0, 0, 0]",0.001,0.2,0.2)
        s+=J(n+"_sr",n+"_sp","[1, 0, 0]","[0, %g, 0]"%(0.04*y),0.65,"[0, 0, -0.02]",0.001,0.1*y,0.2)
        s+=J(n+"_sy",n+"_sr","[0, 0, 1]","[0, 0, -0.08]",0.7,"[0, 0, -0.05]",0.001,0,0.2)
        s+=J(n+"_el",n+"_sy","[0, 1, 0]","[0, 0, -0.1]",0.6,"[0.05, 0, 0]",0.001,-0.5,0.2, ", shape: {type: sphere, radius: 0.04}"); con.append(n+"_el")
        s+=J(n+"_wr",n+"_el","[1, 0, 0]","[0.1, 0, 0]",0.1,"[0, 0, 0]",0.0001,0,0.1)
        s+=J(n+"_wp",n+"_wr","[0, 1, 0]","[0.04, 0, 0]",0.5,"[0, 0, 0]",0.0005,0,0.1)
        s+=J(n+"_wy",n+"_wp","[0, 0, 1]","[0.04, 0, 0]",0.25,"[0.05, 0, 0]",0.0005,0,0.1, ", shape: {type: sphere, radius: 0.04}, shape_center: [0.07, 0, 0]"); con.append(n+"_wy")
    s+="forces:\n"
    for n in con:
        s+="  - {name: c_%s, on: g.%s, type: contact, plane: {normal: [0, 0, 1]}, friction: 0.8}\n"%(n,n)
    return s
def write(name, text):
    with open(os.path.join(sys.argv[1], name + ".yaml"), "w") as out:
        out.write("# Made by machines.py.\n" + text)
for n,f in (("arm",arm),("quadruped",quad),("hand",hand),("standing",human)):
    write(n, f())
    write(n + "-bare", f(False) if n!="quadruped" else quad(False,False))
write("lying", human(True,True))
